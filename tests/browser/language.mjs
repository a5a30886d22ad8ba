// Whether a page speaks one language: its own texts, told from what somebody said there.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./stage.mjs";

const MONTHS = /\b(Jan|Feb|Apr|Jun|Jul|Aug|Sep|Oct|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/;

/** The English texts of the page that are other ones in Turkish, without those with a value in them; and the names. */
function english() {
  const read = (name) => readFileSync(join(ROOT, "dashboard", "src", name), "utf8");
  const texts = (name) => new Map([...read(name).matchAll(/^ {2}"([\w. ]+)": "(.*)",$/gm)].map(([, key, text]) => [key, text]));
  const [en, tr] = [texts("texts-en.ts"), texts("texts-tr.ts")];
  assert.deepEqual([...en.keys()].sort(), [...tr.keys()].sort());
  const names = [...read("names-tr.ts").matchAll(/(?:"([a-z -]+)"|\b([a-z]+)): "([^"]+)"/g)].filter(([, a, b, says]) => (a ?? b) !== says).map(([, a, b]) => a ?? b);
  return new Set([...[...en].filter(([key, text]) => tr.get(key) !== text && !text.includes("{")).map(([, text]) => text), ...names]);
}

const ENGLISH = english();

/** The texts of the page's own: not what somebody said, not what is code or marked as English. */
const own = (page) => page.evaluate(() => {
  const walk = document.createTreeWalker(document.getElementById("app"), NodeFilter.SHOW_TEXT);
  const found = [];
  while (walk.nextNode()) {
    const { parentElement, nodeValue } = walk.currentNode;
    if (!parentElement.closest("bdi, code, kbd, option[lang], [lang=en], svg text, svg title, .conversation header p")) found.push(nodeValue.trim());
  }
  for (const one of document.querySelectorAll("[aria-label], [placeholder]")) found.push((one.getAttribute("aria-label") ?? one.getAttribute("placeholder")).trim());
  return found.filter(Boolean);
});

/** Fails where a page for a Turkish browser has an English text or date of its own. */
export async function turkish(page, where) {
  assert.equal(await page.evaluate(() => document.documentElement.lang), "tr");
  assert.deepEqual((await own(page)).filter((text) => ENGLISH.has(text)), [], `${where} has English in it`);
  for (const date of await page.locator("main time").allInnerTexts()) assert.doesNotMatch(date, MONTHS, where);
}
