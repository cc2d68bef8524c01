import { defineConfig } from "vitest/config"

export default defineConfig({
  // A timeout only ends what hangs: how fast the machine is, is no test. Files share their modules: none keeps a state.
  test: {
    name: "mover-runtime",
    isolate: false,
    include: ["test/**/*.test.ts"],
    // `npm run test:long` runs them.
    exclude: process.env["HEADGATE_LONG_TESTS"] === "1" ? [] : ["test/**/*.long.test.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000
  }
})
