// Errors in the page's language: by the kind that the server gives them, with its own words where they hold values.
import assert from "node:assert/strict";
import { test } from "node:test";
import { source } from "./source.mjs";

const nothing = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
Object.assign(globalThis, { location: { pathname: "/", search: "", hash: "" }, addEventListener: () => {}, sessionStorage: nothing, localStorage: nothing });
const { Problem } = await source("api.ts");
const { lang } = await source("texts.ts");
const { faultOf, told } = await source("parts/faults.ts");

const words = "There is no memory 'x<1>' in scope a/b/c.";
const gone = new Problem(404, "urn:reverie:not-found", words, "Look it up with timeline or recall.");

test("English is as the server says it", () => {
  lang.value = "en";
  assert.deepEqual(faultOf(gone), { what: words, mend: "Look it up with timeline or recall.", own: "" });
});

test("Turkish follows the kind, whatever the sentence, and keeps its values as data", () => {
  lang.value = "tr";
  for (const sentence of [words, "Some other sentence, written anew: 7."]) {
    const { what, mend, own } = faultOf(new Problem(404, "urn:reverie:not-found", sentence, "Look."));
    assert.match(what, /bulunamadı/);
    assert.match(mend, /denetleyin/);
    assert.equal(own, sentence);
  }
  assert.match(told(gone), /bulunamadı.*x<1>/);
  assert.equal(faultOf(new Problem(0, "unreachable", "The server cannot be reached.", "")).own, "");
});

test("what has no known kind is as it came", () => {
  lang.value = "tr";
  assert.equal(faultOf(new Problem(418, "urn:reverie:toString", "Tea.", "Drink.")).what, "Tea.");
  assert.deepEqual(faultOf(new Error("Broken.")), { what: "Broken.", mend: "", own: "" });
});
