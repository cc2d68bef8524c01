import { readFileSync } from "node:fs"
import { defineConfig } from "rolldown"
import { notices } from "./notices.mjs"

/**
 * How an app is bundled, given the URL of its rolldown.config.mjs: into one file, with nothing but Node itself left to
 * resolve. That starts in half the time. It is minified, since what is not there is not compiled; names are kept, for
 * stack traces. Beside it go the licences of those whose work is in it.
 */
export const bundle = (configUrl) => {
  const { version } = JSON.parse(readFileSync(new URL("package.json", configUrl), "utf8"))
  return defineConfig({
    input: "src/main.ts",
    platform: "node",
    external: /^node:/,
    plugins: [notices()],
    transform: { define: { HEADGATE_VERSION: JSON.stringify(version) } },
    output: {
      file: "dist/main.mjs",
      format: "esm",
      codeSplitting: false,
      minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
      sourcemap: true
    }
  })
}
