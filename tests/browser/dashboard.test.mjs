// Every action of the dashboard, done by hand in a real browser through the real server.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { madeStore, paged, reverie, seriousFaults, staged } from "./stage.mjs";

const VIEWS = ["#/", "#/search?q=What%20is%20Tom%20allergic%20to%3F", "#/timeline", "#/conversations", "#/graph", "#/dreams", "#/health", "#/settings"];
const STATES = ["#/search?q=Which%20airline%20flew%20me%20to%20Tokyo%3F", "#/search?q=walnuts&asof=2026-03-10", "#/graph?entity=entity%3A%2F%2Fperson%2Ftom", "#/timeline?session=nobody"];
const stage = paged(staged(() => madeStore("demo")));
const { asked } = stage;
let page;
beforeEach(() => ({ page } = stage));

async function formed(has) {
  const { memories } = await asked("/v1/formed");
  const found = memories.find((one) => one.text.includes(has) && one.standing.state !== "superseded");
  assert.ok(found, has);
  return found;
}

const kept = async (id) => (await asked(`/v1/memories/${id}`)).memory;
const button = (name) => page.getByRole("button", { name, exact: true });
const toast = (text) => page.locator(".toast", { hasText: text });
const dialog = () => page.locator("dialog[open]");

async function undone() {
  await page.locator(".toast").last().getByRole("button", { name: "Undo" }).click();
  await toast("Taken back.").waitFor();
}

test("a memory's page: its words, its life as a line, where it was said, history, relations, validity", async () => {
  const one = await formed("picked her up at Arrivals");
  await stage.at(`#/memory/${one.id}`);
  await page.locator(".words", { hasText: "picked her up at Arrivals" }).waitFor();
  await page.locator("#life .life li").nth(3).waitFor();
  const life = (await page.locator("#life .life b").allInnerTexts()).map((text) => text.replace(/ \d+×/, ""));
  assert.deepEqual(life.slice(0, 2), ["said", "formed"]);
  assert.ok(life.includes("recalled") && life.includes("strengthened"), life.join());
  assert.equal(life.at(-1), "now");
  const here = page.locator("#episodes .turn.here");
  await here.waitFor();
  assert.match(await here.innerText(), /Arrivals with a sign/);
  assert.ok((await page.locator("#episodes .turn").count()) >= 4, "with the turns around it");
  await page.locator("#history li").first().waitFor();
  assert.match(await page.locator("#history").innerText(), /form/);
  assert.match(await page.locator("#validity").innerText(), /said .*2026.*holds still/s);
  await page.locator("#relations").waitFor();
  await page.locator("#standing").getByText("stability days").waitFor();
  assert.equal(await page.locator("#curve").count(), 0, "by default nothing fades");
  const old = (await asked("/v1/formed")).memories.find((other) => other.standing.state === "superseded");
  await stage.at(`#/memory/${old.id}`);
  await page.locator("#life .life-superseded").waitFor();
});

test("pin, and undo it from the toast", async () => {
  const one = await formed("blue basket");
  await stage.at(`#/memory/${one.id}`);
  await button("Pin").click();
  await toast("Pinned").waitFor();
  await button("Unpin").waitFor();
  assert.equal((await kept(one.id)).standing.pinned, true);
  await undone();
  await button("Pin").waitFor();
  assert.equal((await kept(one.id)).standing.pinned, false);
});

test("correct: the new words hold, the old ones stay, closed and linked; undo from the history", async () => {
  const one = await formed("blue basket");
  await stage.at(`#/memory/${one.id}`);
  await button("Correct").click();
  await dialog().getByLabel("What it should say").fill("He likes the green basket <b>now</b>.");
  await dialog().getByLabel("Why").fill("he changed his mind");
  await dialog().getByRole("button", { name: "Correct" }).click();
  await page.locator(".words", { hasText: "He likes the green basket <b>now</b>." }).waitFor();
  await page.locator("#validity").getByText("Supersedes").waitFor();
  const old = await kept(one.id);
  assert.equal(old.standing.state, "superseded");
  assert.equal(old.text, one.text);
  await page.goto(`${stage.server.url}/#/memory/${one.id}`);
  await page.locator(".memory").getByText("superseded").waitFor();
  await page.locator("#history li", { hasText: "he changed his mind" }).getByRole("button").first().click();
  await toast("Taken back.").waitFor();
  await page.locator(".memory .badge", { hasText: "superseded" }).waitFor({ state: "detached" });
  assert.notEqual((await kept(one.id)).standing.state, "superseded");
});

test("a correction that is undone leads back to the memory that was corrected", async () => {
  const one = await formed("You know I hate the phone");
  await stage.at(`#/memory/${one.id}`);
  await button("Correct").click();
  await dialog().getByLabel("What it should say").fill("I like the phone after all.");
  await dialog().getByRole("button", { name: "Correct" }).click();
  await page.locator(".words", { hasText: "I like the phone after all." }).waitFor();
  await undone();
  await page.waitForURL(new RegExp(`#/memory/${one.id}`));
  await page.locator(".words", { hasText: "You know I hate the phone" }).waitFor();
  await page.locator(".memory .badge", { hasText: "superseded" }).waitFor({ state: "detached" });
  await page.goBack();
  await page.locator(".words", { hasText: "You know I hate the phone" }).waitFor();
});

test("what a person does here is logged as that person, and told as theirs", async () => {
  const one = await formed("blue basket");
  await stage.at(`#/memory/${one.id}`);
  await button("Pin").click();
  await toast("Pinned").waitFor();
  await page.locator("#history li", { hasText: "pinned" }).first().getByText("you").waitFor();
  const { events } = await asked(`/v1/memories/${one.id}/history`);
  assert.equal(events.at(-1).actor, "dashboard:local");
  await undone();
});

test("supersede by another memory, and undo it whole", async () => {
  const one = await formed("I hate the phone");
  await stage.at(`#/memory/${one.id}`);
  await button("Supersede").click();
  await dialog().getByLabel("Find the newer memory").fill("hazelnuts allergic");
  await page.keyboard.press("Enter");
  const choice = dialog().locator(".choice", { hasText: "hazelnut" }).first();
  await choice.click();
  await toast("Superseded.").waitFor();
  await page.locator("#relations").getByText("supersedes").waitFor();
  assert.notEqual((await kept(one.id)).valid_until, null);
  await undone();
  assert.equal((await kept(one.id)).valid_until, null);
  const { relations } = await asked(`/v1/memories/${one.id}/relations`);
  assert.deepEqual(relations.filter((edge) => edge.kind === "supersedes"), []);
});

test("forget with a reason, and undo it", async () => {
  const one = await formed("Not Bedminster");
  await stage.at(`#/memory/${one.id}`);
  await button("Forget").click();
  await dialog().getByLabel("Why").fill("we moved");
  await dialog().getByRole("button", { name: "Forget" }).click();
  await toast("Forgotten.").waitFor();
  await page.locator("#history li", { hasText: "we moved" }).waitFor();
  assert.notEqual((await kept(one.id)).valid_until, null);
  await undone();
  assert.equal((await kept(one.id)).valid_until, null);
});

test("release from quarantine needs a reason", async () => {
  await stage.at("#/health");
  const held = page.locator("#quarantine .row");
  await held.first().waitFor();
  const count = await held.count();
  const id = await held.first().getAttribute("data-id");
  await held.first().getByRole("button", { name: "Release" }).click();
  assert.ok(await dialog().getByRole("button", { name: "Release" }).isDisabled());
  await dialog().getByLabel("Why").fill("a test of ours");
  await dialog().getByRole("button", { name: "Release" }).click();
  await toast("Released.").waitFor();
  await page.waitForFunction((before) => document.querySelectorAll("#quarantine .row").length === before - 1, count);
  assert.equal((await kept(id)).standing.state, "active");
});

test("timeline: by conversation with titles, paged, filtered, and as of a moment by the slider", async () => {
  await stage.at("#/timeline");
  const rows = page.locator("main .turn-row");
  await rows.first().waitFor();
  const shown = await rows.count();
  assert.ok(shown >= 20 && shown <= 60, `${shown} at once`);
  await page.locator(".conversation[data-session=arrival] h2", { hasText: "Annem geldi! Bavulun yarısı tarhana" }).waitFor();
  assert.match(await page.locator(".conversation[data-session=arrival] header").innerText(), /9 Apr 2026 · arrival · 5 messages · Defne, .*Tom/);
  await button("Older").click();
  await page.waitForFunction((before) => document.querySelectorAll("main .turn-row").length > before, shown);
  const order = await page.locator(".conversation").evaluateAll((all) => all.map((one) => [...one.querySelectorAll(".turn-row time")].map((time) => Date.parse(time.dateTime))));
  for (const times of order) assert.deepEqual(times, [...times].sort((a, b) => a - b), "a conversation reads in its order");
  const lasts = order.map((times) => times.at(-1));
  assert.deepEqual(lasts, [...lasts].sort((a, b) => b - a), "the last one first");
  await page.locator(".conversation[data-session=arrival] h2 a").click();
  await page.waitForURL(/session=arrival/);
  await page.waitForFunction(() => document.querySelectorAll(".conversation").length === 1);
  await stage.at("#/timeline");
  await rows.first().waitFor();
  await page.getByLabel("As of").focus();
  await page.keyboard.press("Home");
  await page.waitForURL(/asof=/);
  await page.waitForFunction(() => document.querySelectorAll("main .turn-row").length < 20);
  await page.keyboard.press("End");
  await page.waitForURL((url) => !url.hash.includes("asof="));
  await page.getByLabel("Kind").selectOption("preference");
  await page.locator(".turn-row .kind", { hasText: "preference" }).first().waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll(".turn-row")].every((one) => one.querySelector(".kind")?.textContent === "preference"));
  await stage.at("#/timeline?session=nobody-ever");
  await page.locator("#empty").getByRole("link", { name: "Show everything" }).click();
  await rows.first().waitFor();
});

test("conversations: for each prompt what was handed over, its size, why, and what was withheld; hooks told from recalls by hand", async () => {
  await stage.at("#/conversations");
  const clinic = page.locator(".conversation[data-session=clinic]");
  const prompt = clinic.locator(".prompt").last();
  await prompt.waitFor();
  assert.match(await prompt.innerText(), /by a hook[\s\S]*hook:claude-code \d+ words, \d+ tokens\s+Allergy clinic\. It was never the walnuts/);
  assert.equal(await prompt.locator(".given").count(), 2);
  await prompt.locator(".given .stack").first().waitFor();
  await prompt.locator("[data-numbers]").first().click();
  await prompt.locator(".numbers").first().waitFor();
  await prompt.getByText(/Withheld \(2\)/).click();
  await prompt.getByText("in the session's context already").first().waitFor();
  const byHand = page.locator(".conversation[data-session='']");
  assert.ok((await byHand.locator(".prompt[data-trigger=manual]").count()) >= 3);
});

test("\"not this\": counted as useless, held back or forgotten, each undone from the toast", async () => {
  await stage.at("#/conversations?session=clinic");
  const given = page.locator(".given").first();
  await given.waitFor();
  const id = await given.getAttribute("data-id");
  const before = await kept(id);
  for (const [way, says, changed] of [
    ["Not useful here", "Noted: not useful.", (now) => now.standing.utility < before.standing.utility],
    ["Hold it back", "Held back.", (now) => now.standing.state === "quarantined"],
    ["Forget it", "Forgotten.", (now) => now.valid_until !== null],
  ]) {
    await given.getByRole("button", { name: "Not this" }).click();
    await dialog().getByRole("button", { name: new RegExp(`^${way}`) }).click();
    await dialog().getByLabel("Why").fill("it had nothing to do with it");
    await dialog().getByRole("button", { name: way, exact: true }).click();
    await toast(says).waitFor();
    assert.ok(changed(await kept(id)), way);
    await undone();
    const after = await kept(id);
    assert.deepEqual([after.standing.utility, after.standing.state, after.valid_until], [before.standing.utility, before.standing.state, before.valid_until], way);
    await page.locator(".toast").first().waitFor({ state: "detached", timeout: 20_000 });
  }
});

test("relations: labelled nodes, coloured by kind, sized by use; a list says the same", async () => {
  await stage.at("#/graph");
  const nodes = page.locator(".graph svg a");
  await nodes.first().waitFor();
  assert.ok((await nodes.count()) > 5);
  assert.ok((await page.locator(".graph svg text:not(.late)").count()) > 5, "labels");
  const drawn = await nodes.evaluateAll((all) => all.map((one) => ({ kind: one.dataset.kind, fill: getComputedStyle(one.querySelector(".node")).fill, size: Number(one.querySelector("circle")?.getAttribute("r")) })));
  const colours = new Map();
  for (const { kind, fill } of drawn) colours.set(kind, (colours.get(kind) ?? new Set()).add(fill));
  assert.ok([...colours.values()].every((one) => one.size === 1) && new Set([...colours.values()].flatMap((one) => [...one])).size >= 4, "a kind has a colour");
  const used = await page.locator(".graph svg a", { hasText: "I picked her up at Arr" }).first().locator("circle").getAttribute("r");
  assert.ok(Number(used) > Math.min(...drawn.map((one) => one.size)), "what is used is larger");
  await page.getByText("As a list").click();
  assert.ok((await page.locator("details li").count()) > 5);
  await nodes.first().focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/memory\//);
  await page.getByRole("link", { name: "Show relations" }).first().click();
  await page.locator(".node.centre").waitFor();
});

test("relations: from an entity outwards, filtered by entity and time; an empty view offers what would fill it", async () => {
  await stage.at("#/graph");
  await page.locator("#entities .chip", { hasText: "Tom" }).click();
  await page.waitForURL(/entity=entity/);
  await page.locator(".graph rect.node.centre").waitFor();
  const nodes = page.locator(".graph svg a");
  const all = await nodes.count();
  assert.ok(all > 3);
  await page.getByLabel("From").fill("2026-04-19");
  await page.waitForURL(/from=2026-04-19/);
  await page.waitForFunction((before) => document.querySelectorAll(".graph svg a").length < before, all);
  await page.getByLabel("From").fill("2031-01-01");
  await page.locator("#empty").getByText("A dream links memories").waitFor();
  await page.locator("#empty").getByRole("link", { name: "All relations" }).click();
  await nodes.first().waitFor();
  await page.getByLabel("About").selectOption({ label: "Helen Moon (5)" });
  await page.locator(".graph rect.node.centre").waitFor();
  await page.getByLabel("Whose memory").selectOption({ label: "assistant / somebody-else / demo" });
  await stage.at("#/graph");
  await page.locator("#empty").getByText("Nothing is linked yet.").waitFor();
  await page.locator("#empty").getByRole("button", { name: "Dream now" }).click();
  await toast("Dreamt").waitFor({ timeout: 60_000 });
});

test("dreams: dry run changes nothing; a dream, its steps before and after, and its undo", async () => {
  await stage.at("#/dreams");
  const dreams = page.locator(".dream");
  await dreams.first().waitFor();
  const count = await dreams.count();
  const events = (await asked("/v1/stats")).events;
  await button("Dry run").click();
  await page.locator("#dry .steps li").first().waitFor();
  assert.equal((await asked("/v1/stats")).events, events);
  await button("Dream now").click();
  await toast("Dreamt").waitFor({ timeout: 60_000 });
  await page.waitForFunction((before) => document.querySelectorAll(".dream").length > before, count);
  await dreams.first().locator(".fields ins").first().waitFor();
  await dreams.first().locator(".made .row").first().waitFor();
  await dreams.first().getByRole("button", { name: "Undo this dream" }).click();
  await dialog().getByRole("button", { name: "Undo this dream" }).click();
  await toast("Taken back").waitFor({ timeout: 60_000 });
  await dreams.first().locator(".badge", { hasText: "taken back" }).waitFor();
});

test("health says what is junk, stale, quarantined and gated; what grew, what is stale, what costs tokens", async () => {
  await stage.at("#/health");
  await page.locator("#growth .column").nth(10).waitFor();
  const told = await asked("/v1/health");
  const tile = (name) => page.locator(".tile", { has: page.getByText(name, { exact: true }) }).locator(".value");
  assert.equal(await tile("memories").innerText(), String(told.memories));
  assert.equal(await tile("junk").innerText(), String(told.junk));
  assert.equal(await tile("stale").innerText(), String(told.stale));
  assert.equal(await tile("in quarantine").innerText(), String(told.quarantined));
  assert.match(await tile("gated").innerText(), /^\d+(\.\d)?%$/);
  await page.locator("#growth summary").click();
  const counted = await page.locator("#growth tbody tr td:nth-child(2)").allInnerTexts();
  assert.equal(counted.reduce((sum, one) => sum + Number(one), 0), told.growth.reduce((sum, one) => sum + one.episodes, 0));
  await page.locator("#grown li", { hasText: "fact" }).first().waitFor();
  await page.locator("#stale .row", { hasText: "walnuts in the canteen" }).getByRole("link", { name: /hazelnuts/ }).waitFor();
  await page.getByText(/Formed long ago and never recalled \([1-9]/).click();
  await page.getByText(/The last \d+ prompts and recalls were given \d+ tokens, \d+ each/).waitFor();
  const costs = page.locator("#cost li");
  assert.match(await costs.first().innerText(), /recalled \d+×, \d+ tokens each, \d+ in all/);
  const all = (await costs.allInnerTexts()).map((text) => Number(/(\d+) in all/.exec(text)[1]));
  assert.deepEqual(all, [...all].sort((a, b) => b - a), "the dearest first");
});

test("charts fit a life of one day", async () => {
  await stage.at("#/health");
  await page.locator("#growth .column").first().waitFor();
  await page.getByLabel("Whose memory").selectOption({ label: "assistant / somebody-else / demo" });
  await page.waitForFunction(() => document.querySelectorAll("#growth .column").length === 1);
  await page.locator("#growth").getByText("by hour").waitFor();
  await page.locator("#cost").getByText("Nothing was recalled yet").waitFor();
  await page.locator("#stale").getByText("Nothing is stale").waitFor();
});

test("settings as they are in force, light and dark, English and Turkish", async () => {
  await stage.at("#/settings");
  await page.locator("#in-force").getByText("serve.port").waitFor();
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByLabel("Look").selectOption("dark");
  assert.notEqual(await ground(), light);
  await page.getByLabel("Language").selectOption("tr");
  await page.getByRole("heading", { name: "Ayarlar" }).first().waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "tr");
  const value = (name) => page.locator("#in-force tr", { has: page.getByText(name, { exact: true }) }).locator("bdi");
  assert.equal(await value("agent").innerText(), "assistant", "a value of a setting is not translated");
  await page.reload();
  await page.getByRole("heading", { name: "Ayarlar" }).first().waitFor();
  assert.notEqual(await ground(), light);
});

test("the scope chooser lists what there is, and nothing crosses", async () => {
  await stage.at("");
  await page.locator("#latest .row").first().waitFor();
  assert.equal(await page.getByText("Nobody of the other scope").count(), 0);
  await page.getByLabel("Whose memory").selectOption({ label: "assistant / somebody-else / demo" });
  await page.getByText("Nobody of the other scope").waitFor();
  assert.equal(await page.locator("#latest .row").count(), 1);
});

test("what another process remembers appears by itself", async () => {
  await stage.at("");
  await page.locator(".live.on").waitFor();
  await page.locator("#latest .row").first().waitFor();
  reverie(stage.folder, "--no-model", "remember", "The kettle was replaced a moment ago.");
  await page.locator("#latest .row", { hasText: "The kettle was replaced" }).waitFor();
});

test("keys: search, move, open, back, go to, help, escape", async () => {
  await stage.at("");
  await page.locator("#latest .row").nth(2).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.closest(".row")?.getAttribute("data-id") ?? document.activeElement?.id);
  const rows = await page.locator("#latest .row").evaluateAll((all) => all.map((one) => one.getAttribute("data-id")));
  await page.keyboard.press("j");
  assert.equal(await focused(), rows[0]);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  assert.equal(await focused(), rows[1]);
  await page.keyboard.press("Enter");
  await page.waitForURL(new RegExp(`#/memory/${rows[1]}`));
  await page.keyboard.press("b");
  await page.waitForURL((url) => !url.hash.includes("memory"));
  await page.keyboard.press("/");
  assert.equal(await focused(), "cue");
  await page.keyboard.press("Escape");
  assert.notEqual(await focused(), "cue");
  await page.keyboard.press("?");
  await dialog().getByRole("heading", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  await dialog().waitFor({ state: "detached" });
  for (const [key, hash] of [["t", "timeline"], ["c", "conversations"], ["r", "graph"], ["d", "dreams"], ["h", "health"], ["e", "settings"], ["s", "search"]]) {
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await page.waitForURL(new RegExp(`#/${hash}`));
  }
});

test("stored markup and scripts never run, and stand there as they were said", async () => {
  for (const text of ["<script>", "onerror", "svg onload", "iframe src"]) {
    await stage.at(`#/search?q=${encodeURIComponent(text)}`);
    await page.locator("#hits .hit, #nothing").first().waitFor();
  }
  await stage.at("#/timeline?session=odd");
  await page.getByText("<script>window.__ran = 'script'</script>").first().waitFor();
  assert.equal(await page.locator("main").locator("script, img, iframe, b:not(b:has(*))", { hasText: "bold" }).count(), 0);
  const one = await formed("onerror");
  await stage.at(`#/memory/${one.id}`);
  await page.locator(".words", { hasText: "<img src=x onerror" }).waitFor();
  await page.locator("#history li").first().waitFor();
  assert.equal(await page.locator("main img, main iframe, main script").count(), 0);
});

test("the page is under a policy that forbids any script but its own", async () => {
  const answer = await stage.at("");
  const policy = answer.headers()["content-security-policy"];
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'self'(;|$)/);
  const html = await answer.text();
  assert.doesNotMatch(html, /<script(?![^>]*src=)|\son\w+=|\sstyle=/);
});

test("axe finds nothing serious on any view: light, dark, phone", async () => {
  const one = await formed("blue basket");
  for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 390, height: 844 } }]) {
    const other = await stage.open(options);
    for (const view of [...VIEWS, `#/memory/${one.id}`, `#/graph/${one.id}`, ...STATES]) {
      await other.at(view);
      await other.page.locator("main h1").first().waitFor();
      await other.page.locator("main").getByText("Loading …").first().waitFor({ state: "detached" });
      assert.deepEqual(await seriousFaults(other.page), [], `${view} ${JSON.stringify(options)}`);
      const wide = await other.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${view} is ${wide} px too wide for ${JSON.stringify(options)}`);
    }
    assert.deepEqual(other.complaints, []);
    await other.context.close();
  }
});

test("at phone width everything is reachable by touch: views, turns, numbers, verbs, and what was handed over", async () => {
  const phone = await stage.open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const at = phone.page;
  const toasted = (text) => at.locator(".toast", { hasText: text });
  await phone.at("");
  for (const name of ["Timeline", "Conversations", "Relations", "Dreams", "Health", "Settings", "Search"]) {
    const link = at.getByRole("navigation").getByRole("link", { name, exact: true });
    const box = await link.boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.height >= 34, `${name} is in sight and can be hit`);
    await link.tap();
    await at.locator("main h1", { hasText: name }).waitFor({ state: "attached" });
  }
  await at.getByLabel("Whose memory").selectOption({ label: "assistant / defne-and-tom / demo" });
  await at.getByLabel("Search", { exact: true }).fill("walnuts");
  await at.keyboard.press("Enter");
  const hit = at.locator("#hits .hit").first();
  await hit.getByRole("button", { name: "Turns around it" }).tap();
  await hit.locator(".turn.here").waitFor();
  await hit.getByRole("button", { name: "Numbers" }).tap();
  await hit.locator(".numbers").waitFor();
  assert.ok((await at.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
  await hit.locator(".row-link").first().tap();
  for (const name of ["Correct", "Supersede", "Forget", "Show relations"]) await at.getByText(name, { exact: true }).first().scrollIntoViewIfNeeded();
  await at.getByRole("button", { name: "Pin", exact: true }).tap();
  await toasted("Pinned").getByRole("button", { name: "Undo" }).tap();
  await toasted("Taken back.").waitFor();
  await phone.at("#/conversations");
  await at.getByRole("button", { name: "Not this" }).first().tap();
  await at.locator("dialog[open]").getByRole("button", { name: /^Hold it back/ }).tap();
  await at.locator("dialog[open]").getByRole("button", { name: "Cancel" }).tap();
  await phone.at("#/graph");
  await at.locator("#entities .chip").first().tap();
  await at.locator(".graph rect.node.centre").waitFor();
  assert.deepEqual(phone.complaints, []);
  await phone.context.close();
});
