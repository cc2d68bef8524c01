import { readFileSync } from "node:fs"
import { defineConfig } from "rolldown"

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"))

// The published app is this one file: a bundle starts in half the time, and nothing but Node itself is left to resolve.
// It is minified, names kept for stack traces: what is not there is not compiled.
export default defineConfig({
  input: "src/main.ts",
  platform: "node",
  external: /^node:/,
  transform: { define: { HEADGATE_VERSION: JSON.stringify(version) } },
  output: {
    file: "dist/main.mjs",
    format: "esm",
    codeSplitting: false,
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    sourcemap: true
  }
})
