import { defineConfig } from "vitest/config"

export default defineConfig({
  test: { name: "sql-adapter", include: ["test/**/*.test.ts"] }
})
