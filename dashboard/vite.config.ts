// The build: src/ in, static files of the package out. No map, no inlined asset, no preload script: the page's security
// policy allows files of the same origin alone.
import { defineConfig } from "vite";

export default defineConfig({
  base: "/app/",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../src/reverie/faces/http/static",
    emptyOutDir: true,
    target: "es2022",
    cssTarget: "chrome123", // light-dark() as it is: each browser of 2024 and later has it
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        entryFileNames: "assets/[name]-[hash].js",
        chunkFileNames: "assets/[name]-[hash].js",
        assetFileNames: "assets/[name]-[hash][extname]",
      },
    },
  },
  server: { proxy: { "/v1": "http://127.0.0.1:8377" } },
});
