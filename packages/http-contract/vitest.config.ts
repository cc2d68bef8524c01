import { defineConfig } from "vitest/config"

export default defineConfig({
  test: { name: "http-contract", include: ["test/**/*.test.ts"] }
})
