// The page's texts: none is there that nothing shows, a number has its form, and labels of a picture are told apart.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT, source } from "./source.mjs";

const nothing = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
Object.assign(globalThis, { location: { pathname: "/", search: "", hash: "" }, addEventListener: () => {}, sessionStorage: nothing, localStorage: nothing });
const { en } = await source("texts-en.ts");
const { t } = await source("texts.ts");
const { labelsOf } = await source("parts/drawing.tsx");

const code = readdirSync(join(ROOT, "src"), { recursive: true })
  .filter((name) => /\.tsx?$/.test(name) && !/^(texts|names)-/.test(name))
  .map((name) => readFileSync(join(ROOT, "src", name), "utf8"))
  .join("\n");

/** Whether the code names a key, or makes it of a beginning of it and a name. */
function isUsed(key) {
  const beginnings = [...key.matchAll(/\./g)].map(({ index }) => key.slice(0, index));
  return code.includes(`"${key}"`) || beginnings.some((one) => code.includes(`\`${one}.$`) || code.includes(`named("${one}"`));
}

test("every text is shown somewhere", () => {
  assert.deepEqual(Object.keys(en).filter((key) => !isUsed(key)), []);
});

test("one is one, and two are many", () => {
  assert.equal(t("timeline.messages", { count: 1 }), "1 message");
  assert.equal(t("timeline.messages", { count: "1,200" }), "1,200 messages");
});

test("texts that begin alike are labelled by what tells them apart", () => {
  const texts = ["We decided to meet Odile at the pier", "We decided to meet Odile at the bridge", "Short", "Short", ""];
  const labels = labelsOf(texts.map((text, at) => ({ id: `id${at}`, text })));
  assert.deepEqual([...labels.values()], ["…pier", "…bridge", "Short", "Short", "id4"]);
  const begun = "Mr Okafor found the boiler flat.";
  const going = labelsOf([{ id: "a", text: `${begun} It was old.` }, { id: "b", text: begun }]);
  assert.deepEqual([...going.values()], ["…It was old.", "Mr Okafor found the boi…"], "a text the other goes on after has its own words");
});

test("texts that differ have labels that differ, wherever they do", () => {
  const long = "x".repeat(40);
  const cases = [
    ["We decided to meet Odile at the pier", "We decided to meet Odile at the pier of stone on Monday at nine", "We decided to meet Odile at the pier of stone on Monday at ten"],
    [`${long}one${long}`, `${long}two${long}`, long],
    ["The boiler of house seven was mended on Monday", "The boiler of house seven was mended on Tuesday", "The boiler of house nine was mended on Monday"],
    ["Mr Okafor found the boiler flat", "Mr Okafor found the boiler flat tyre", "Mr Okafor found the boiler flat tyre again"],
    ["A first beginning that is long: the end", "A first beginning that is longer: the end", "A second beginning that is long: the end", "A second beginning that is longer: the end"],
    ["…pier", "We decided to meet Odile at the pier", "We decided to meet Odile at the bridge"],
    Array.from({ length: 200 }, (_, at) => `Message ${Math.floor(at / 7)} of the same long beginning says ${at % 7} and the same long end`),
    [`${"😀".repeat(30)}a`, `${"😀".repeat(30)}😁b`, `${"😀".repeat(30)}😂b`],
  ];
  for (const texts of cases) {
    const labels = [...labelsOf(texts.map((text, at) => ({ id: `id${at}`, text }))).values()];
    assert.equal(new Set(labels).size, texts.length, JSON.stringify(labels.slice(0, 9)));
    assert.ok(labels.every((one) => one.length <= 30 && one.isWellFormed?.() !== false), JSON.stringify(labels.slice(0, 9)));
  }
});
