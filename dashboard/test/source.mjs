// The page's own modules for tests without a browser, as Vite makes them.
import { after } from "node:test";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const vite = await createServer({ root: ROOT, server: { middlewareMode: true, watch: null, ws: false }, appType: "custom", logLevel: "error" });
after(() => vite.close());

/** A module of src/. */
export const source = (name) => vite.ssrLoadModule(`/src/${name}`);
