import { defineConfig } from "vitest/config"

export default defineConfig({
  // The timeouts end tests that hang; a slow machine must not fail. Files share their modules, which keep no state.
  test: {
    name: "sql-adapter",
    isolate: false,
    include: ["test/**/*.test.ts"],
    // `npm run test:long` runs them.
    exclude: process.env["HEADGATE_LONG_TESTS"] === "1" ? [] : ["test/**/*.long.test.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000
  }
})
