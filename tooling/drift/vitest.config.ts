import { defineConfig } from "vitest/config"

export default defineConfig({
  // A timeout only ends what hangs: how fast the machine is, is no test. Files share their modules: none keeps a state.
  test: {
    name: "drift",
    isolate: false,
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000
  }
})
