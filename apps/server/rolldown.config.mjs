import { defineConfig } from "rolldown"

// The published app is this one file: a bundle starts in half the time, and nothing but Node itself is left to resolve.
export default defineConfig({
  input: "src/main.ts",
  platform: "node",
  external: /^node:/,
  output: {
    file: "dist/main.mjs",
    format: "esm",
    codeSplitting: false,
    sourcemap: true
  }
})
