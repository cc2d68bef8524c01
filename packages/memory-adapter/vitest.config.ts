import { defineConfig } from "vitest/config"

export default defineConfig({
  test: { name: "memory-adapter", include: ["test/**/*.test.ts"] }
})
