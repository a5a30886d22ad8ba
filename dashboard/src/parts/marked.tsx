// A text in which the words of the cue are marked. Stored text reaches the page as text nodes alone, here as elsewhere.
import { short } from "./show";

const WORD = /[\p{L}\p{N}]+/gu;
const LEAD = 40;

/** Lower case, without accents, and the two letters i of Turkish as one: as search compares words. */
export function folded(text: string): string {
  return text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ı", "i");
}

/** Whether a word is a form of a stem: the stem itself, or the stem with an ending; short stems have short endings. */
function isForm(word: string, stem: string): boolean {
  return word === stem || (word.startsWith(stem) && word.length - stem.length <= (stem.length < 4 ? 2 : 7));
}

export interface Piece {
  text: string;
  marked: boolean;
}

/**
 * The text in pieces, those marked that are forms of a term, or one of the words that the server found to be one (kitabı
 * of kitap: what a stem loses or changes only the index knows). A term may hold several stems, separated by "|".
 */
export function pieces(text: string, terms: string[], words: string[] = []): Piece[] {
  const stems = terms.flatMap((term) => term.split("|")).map(folded).filter((stem) => stem.length > 1);
  const forms = new Set(words.map(folded));
  const found: Piece[] = [];
  let last = 0;
  for (const match of text.matchAll(WORD)) {
    const word = folded(match[0]);
    if (!forms.has(word) && !stems.some((stem) => isForm(word, stem))) continue;
    if (match.index > last) found.push({ text: text.slice(last, match.index), marked: false });
    found.push({ text: match[0], marked: true });
    last = match.index + match[0].length;
  }
  if (last < text.length) found.push({ text: text.slice(last), marked: false });
  return found;
}

/** So much of a text from where the first marked word is in sight. */
function excerpt(text: string, terms: string[], words: string[], most: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  const first = pieces(line, terms, words);
  const before = first[0] && !first[0].marked && first.length > 1 ? first[0].text.length : 0;
  return before > most - LEAD ? `…${short(line.slice(before - LEAD), most)}` : short(line, most);
}

export function Marked({ text, terms, words = [], cut }: { text: string; terms: string[]; words?: string[]; cut: number }) {
  return (
    <bdi class="said" dir="auto">
      {pieces(excerpt(text, terms, words, cut), terms, words).map((one, at) => (one.marked ? <mark key={at}>{one.text}</mark> : one.text))}
    </bdi>
  );
}
