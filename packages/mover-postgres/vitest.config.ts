import { defineConfig } from "vitest/config"

export default defineConfig({
  // The timeouts end tests that hang; a slow machine must not fail. Files share their modules and one Postgres, which
  // is why they run one after another.
  test: {
    name: "mover-postgres",
    isolate: false,
    fileParallelism: false,
    // Vitest wants a group of its own for a project that runs its files one after another.
    sequence: { groupOrder: 2 },
    include: ["test/**/*.test.ts"],
    // `npm run test:long` runs them: they start a real Postgres.
    exclude: process.env["HEADGATE_LONG_TESTS"] === "1" ? [] : ["test/**/*.long.test.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000
  }
})
