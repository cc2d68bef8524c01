import { siteNotices } from "@headgate/toolchain/notices"
import { defineConfig } from "vite"

/** Builds the site that apps/server serves below /console: one script, one style, and a script for each page that is opened later. */
export default defineConfig({
  base: "/console/",
  plugins: [siteNotices()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "dist/site",
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: false,
    cssCodeSplit: false,
    sourcemap: false,
    // All that the page needs at first is one script, whose first statement takes the code of the URL.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "index", tags: ["$initial"] }] } } }
  }
})
