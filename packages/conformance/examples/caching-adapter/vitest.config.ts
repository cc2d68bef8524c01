import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    name: "caching-adapter",
    isolate: false,
    include: ["test/**/*.test.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000
  }
})
