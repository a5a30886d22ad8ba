// Marks: what is said of a memory beside its words: that it is superseded, outdated or contradicted, or a standing order.
// In, Reverie's hits; out, marks, and these in words of ours, in which nothing of a memory's text stands.

/** First where the other memory is named, then where it is not there to be named; as Reverie's own list `marks` has it. */
const WORDS = Object.freeze({
  superseded: [(other) => `superseded by ${other}`, "superseded"],
  outdated: [(other) => `outdated: ${other} is newer`, "outdated"],
  contradicts: [(other) => `contradicts ${other}`, "contradicted"],
  standing: [() => "", "standing instruction"],
  preference: [() => "", "standing preference"],
  quoted: [() => "", "a quotation, not the user's instruction"],
  either: [() => "", "standing instruction or preference"],
});
const STANDS = Object.freeze({ instruction: "standing", preference: "preference" });

/** What is to be said of a hit; what is superseded is not called outdated as well. */
export function marksOf({ memory, signals }) {
  const about = new Map(signals.map((signal) => [signal.name, signal.about ?? ""]));
  const { state, superseded_by: successor } = memory.standing;
  const marks = [];
  if (about.has("superseded") || state === "superseded") {
    marks.push({ name: "superseded", other: about.get("superseded") || successor || about.get("outdated") || "" });
  } else if (about.has("outdated")) {
    marks.push({ name: "outdated", other: about.get("outdated") });
  }
  if (about.has("contradicts")) marks.push({ name: "contradicts", other: about.get("contradicts") });
  const isOrder = memory.kind === "instruction" && memory.role === "user";
  if (memory.kind === "instruction" && !isOrder) marks.push({ name: "quoted", other: "" });
  else if (isOrder || about.has("standing")) marks.push({ name: STANDS[memory.kind] ?? "either", other: "" });
  return marks;
}

/** A line of marks for each memory, empty for none; where lines are not `numbered`, who is named tells its number. */
export function labels(page, beside = [], numbered = false) {
  const names = numbers(page, beside);
  const other = (one, mark) => (names.get(mark.other) === names.get(one.id) ? undefined : names.get(mark.other));
  const meant = new Set(page.flatMap((one) => one.marks.map((mark) => other(one, mark))));
  return page.map((one) => {
    const own = names.get(one.id);
    const told = one.marks.map((mark) => worded(mark.name, other(one, mark)));
    return (meant.has(own) && !numbered ? [own, ...told] : told).join(", ");
  });
}

/** Id to number; what is not on the page goes by the number of what was made of the same message. */
function numbers(page, beside) {
  const names = new Map(page.map((one, at) => [one.id, `#${at + 1}`]));
  const made = new Map(page.toReversed().flatMap((one) => one.sources.map((source) => [source, names.get(one.id)])));
  for (const one of beside) {
    const source = [one.id, ...one.sources].find((each) => made.has(each));
    if (source !== undefined && !names.has(one.id)) names.set(one.id, made.get(source));
  }
  return names;
}

function worded(name, other) {
  const [named, alone] = WORDS[name];
  return (other && named(other)) || alone;
}
