import { defineConfig } from "vitest/config"

export default defineConfig({
  // A timeout only ends what hangs: how fast the machine is, is no test.
  test: {
    name: "headgate-server",
    include: ["test/**/*.test.ts"],
    // `npm run test:long` runs them.
    exclude: process.env["HEADGATE_LONG_TESTS"] === "1" ? [] : ["test/**/*.long.test.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Files share what they import, which to load anew takes longer than most tests: no test may change a module.
    isolate: false
  }
})
