// The token of the printed address: kept for the tab, out of the address bar, whatever else stands in the address.
import assert from "node:assert/strict";
import { test } from "node:test";
import { source, vite } from "./source.mjs";

class Box {
  #kept = new Map();
  getItem = (key) => this.#kept.get(key) ?? null;
  setItem = (key, text) => this.#kept.set(key, text);
  removeItem = (key) => this.#kept.delete(key);
}

/** The page's state, opened at an address with what the tab kept; and what a later address of the same tab does. */
async function tab(hash, kept = "") {
  const heard = [];
  const seen = [];
  globalThis.location = { pathname: "/", search: "", hash };
  globalThis.sessionStorage = new Box();
  globalThis.localStorage = new Box();
  if (kept) sessionStorage.setItem("reverie.token", JSON.stringify(kept));
  globalThis.history = { replaceState: (_, __, to) => { seen.push(to); location.hash = to.includes("#") ? to.slice(to.indexOf("#")) : ""; } };
  globalThis.addEventListener = (name, then) => name === "hashchange" && heard.push(then);
  vite.moduleGraph.invalidateAll();
  const state = await source("state.ts");
  const goTo = (to) => { location.hash = to; heard.forEach((one) => one()); };
  return { state, seen, goTo };
}

const TOKEN = "rev_" + "aB3-_".repeat(8);

test("the token of the address wins over the tab's, is kept for the tab, and is taken out of the address", async () => {
  const { state, seen } = await tab(`#token=${TOKEN}`, "old");
  assert.equal(state.token.value, TOKEN);
  assert.equal(JSON.parse(sessionStorage.getItem("reverie.token")), TOKEN);
  assert.deepEqual(seen, ["/"]);
  assert.equal(state.route.value.name, "search");
});

test("an address that brings none changes nothing", async () => {
  for (const hash of ["", "#/search?q=token%3Da", "#/search?q=a#token=b", "#token=", "#token=a b", "#token=a/../b"]) {
    const { state, seen } = await tab(hash, "old");
    assert.equal(state.token.value, "old", hash);
    assert.deepEqual(seen, [], hash);
  }
});

test("brought into an open tab that asks for one, it is taken", async () => {
  const { state, seen, goTo } = await tab("#/health", "old");
  state.wantsToken.value = true;
  goTo(`#token=${TOKEN}`);
  assert.equal(state.token.value, TOKEN);
  assert.equal(state.wantsToken.value, false);
  assert.deepEqual(seen, ["/"]);
  goTo("#/health");
  assert.equal(state.token.value, TOKEN);
  assert.equal(state.route.value.name, "health");
});
