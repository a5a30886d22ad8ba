// After the build: writes licences.txt (what is bundled, under which licence) and manifest.json (the hash of the source
// the files were built from, and of each file), so that a test without Node notices a forgotten build.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const out = join(here, "..", "src", "reverie", "faces", "http", "static");
const SOURCES = ["index.html", "package.json", "package-lock.json", "scripts", "src", "tsconfig.json", "vite.config.ts"];

function files(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path).flatMap((name) => files(join(path, name)));
}

const sha256 = (data) => createHash("sha256").update(data).digest("hex");
const byName = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** One hash over names and contents, in the order of the names' code points. */
function sourceHash() {
  const lines = SOURCES.flatMap((name) => files(join(here, name)))
    .map((path) => [relative(here, path).replaceAll("\\", "/"), path])
    .sort((a, b) => byName(a[0], b[0]))
    .map(([name, path]) => `${name} ${sha256(readFileSync(path))}\n`);
  return sha256(lines.join(""));
}

/** The packages that end up in the page: the dependencies of package.json, and theirs. */
function bundled() {
  const lock = JSON.parse(readFileSync(join(here, "package-lock.json"), "utf8")).packages;
  return Object.entries(lock)
    .filter(([path, entry]) => path && !entry.dev && !entry.optional)
    .map(([path, entry]) => ({ name: path.replace(/^node_modules\//, ""), version: entry.version, licence: entry.license, path }))
    .sort((a, b) => byName(a.name, b.name));
}

function licences() {
  return bundled()
    .map(({ name, version, licence, path }) => {
      const folder = join(here, path);
      const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
      if (!file) throw new Error(`${name} carries no licence text`);
      return `${name} ${version} (${licence})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}

writeFileSync(join(out, "licences.txt"), `The dashboard's script holds these packages.\n\n${licences()}`);
const built = files(out)
  .map((path) => [relative(out, path).replaceAll("\\", "/"), path])
  .filter(([name]) => name !== "manifest.json")
  .sort((a, b) => byName(a[0], b[0]));
const manifest = { source: sourceHash(), files: Object.fromEntries(built.map(([name, path]) => [name, sha256(readFileSync(path))])) };
writeFileSync(join(out, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
