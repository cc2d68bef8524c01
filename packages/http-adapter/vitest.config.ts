import { defineConfig } from "vitest/config"

export default defineConfig({
  test: { name: "http-adapter", include: ["test/**/*.test.ts"], maxConcurrency: 32 }
})
