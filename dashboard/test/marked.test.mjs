// Which words of a text are marked for a cue: forms of its stems, in English and Turkish, and nothing else.
import assert from "node:assert/strict";
import { test } from "node:test";
import { source } from "./source.mjs";

const { pieces } = await source("parts/marked.tsx");

const marked = (text, terms) => pieces(text, terms).filter((one) => one.marked).map((one) => one.text);

test("forms of a stem are marked", () => {
  assert.deepEqual(marked("I'm allergic; my Allergies are bad.", ["allerg"]), ["allergic", "Allergies"]);
  assert.deepEqual(marked("Annem geliyor, ANNEMİN bileti var.", ["anne|annem", "geliy|geliyor"]), ["Annem", "geliyor", "ANNEMİN"]);
  assert.deepEqual(marked("She flew there; flies often.", ["flew|fli|flown"]), ["flew", "flies"]);
});

test("what the server found to be a form is marked, whatever became of its stem", () => {
  const text = "Kitabı rafa koy, EKMEĞE yağ sür; kitapçı kapalı.";
  const found = pieces(text, ["kitap", "ekmek"], ["kitabı", "ekmeğe"]);
  assert.deepEqual(found.filter((one) => one.marked).map((one) => one.text), ["Kitabı", "EKMEĞE", "kitapçı"]);
  assert.deepEqual(marked(text, ["kitap", "ekmek"]), ["kitapçı"], "without it, only what begins with the stem");
});

test("a short stem marks no other word, and the text comes back whole", () => {
  assert.deepEqual(marked("Tomorrow Tom and the toms sing.", ["tom"]), ["Tom", "toms"]);
  for (const text of ["", "…", "<b>Tom</b> & Tom", "ı İ i I"]) assert.equal(pieces(text, ["tom", "i"]).map((one) => one.text).join(""), text);
});
