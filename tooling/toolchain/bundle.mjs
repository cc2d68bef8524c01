import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { defineConfig } from "rolldown"
import { builtins } from "./builtins.mjs"
import { notices } from "./notices.mjs"

const absent = new URL("absent.mjs", import.meta.url)

/**
 * How an app is bundled, given the URL of its rolldown.config.mjs: into one file, with nothing but Node itself left to
 * resolve. That starts in half the time. It is minified, since what is not there is not compiled; names are kept, for
 * stack traces. With `parts`, what the app imports only when it is needed has files of its own beside that one. What the
 * app is `without` are packages that it never gets to, though something in it imports them. The licences of those whose
 * work is in it go along.
 */
export const bundle = (configUrl, { parts = false, without = [] } = {}) => {
  const { version } = JSON.parse(readFileSync(new URL("package.json", configUrl), "utf8"))
  return defineConfig({
    input: "src/main.ts",
    platform: "node",
    external: ["node:module"],
    plugins: [builtins(), notices()],
    // To read a property, and then not to use it, changes nothing.
    treeshake: { propertyReadSideEffects: false },
    resolve: { alias: Object.fromEntries(without.map((name) => [name, fileURLToPath(absent)])) },
    transform: {
      define: { HEADGATE_VERSION: JSON.stringify(version) },
      inject: { "Intl.Segmenter": [fileURLToPath(new URL("Segmenter.mjs", import.meta.url)), "Segmenter"] }
    },
    output: {
      dir: "dist",
      entryFileNames: "main.mjs",
      chunkFileNames: "part-[name].mjs",
      cleanDir: false,
      format: "esm",
      // One arrow would make two bytes of every character, for V8 to read and to keep.
      charset: "ascii",
      // What is loaded at the start anyway is in one file, whoever else imports it.
      codeSplitting: parts ? { groups: [{ name: "start", tags: ["$initial"] }] } : false,
      minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
      sourcemap: true
    }
  })
}
