import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    projects: ["{packages,apps,tooling}/*/vitest.config.ts", "packages/*/examples/*/vitest.config.ts"],
    passWithNoTests: true,
    // One for each core: much of a test's time is spent waiting for processes and sockets.
    maxWorkers: "100%"
  }
})
