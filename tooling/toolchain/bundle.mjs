import { readFileSync } from "node:fs"
import { defineConfig } from "rolldown"
import { notices } from "./notices.mjs"

/**
 * The rolldown configuration of an app, given the URL of its rolldown.config.mjs. The bundle contains every dependency:
 * one file starts in half the time of many, and installs without a package manager. It is minified, but keeps the names
 * of functions for stack traces. With `codeSplitting`, each dynamic import gets a file of its own beside `main.mjs`. The
 * licences of the bundled packages are written beside it too.
 */
export const bundle = (configUrl, { codeSplitting = false } = {}) => {
  const { version } = JSON.parse(readFileSync(new URL("package.json", configUrl), "utf8"))
  return defineConfig({
    input: "src/main.ts",
    platform: "node",
    plugins: [notices()],
    transform: { define: { HEADGATE_VERSION: JSON.stringify(version) } },
    output: {
      dir: "dist",
      entryFileNames: "main.mjs",
      chunkFileNames: "part-[name].mjs",
      cleanDir: false,
      format: "esm",
      // Everything that is loaded at the start goes into main.mjs, even if a dynamically imported file needs it too.
      codeSplitting: codeSplitting ? { groups: [{ name: "start", tags: ["$initial"] }] } : false,
      minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
      sourcemap: true
    }
  })
}
