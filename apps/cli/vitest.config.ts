import { defineConfig } from "vitest/config"

export default defineConfig({
  test: { name: "headgate", include: ["test/**/*.test.ts"] }
})
