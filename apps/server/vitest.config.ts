import { defineConfig } from "vitest/config"

export default defineConfig({
  test: { name: "headgate-server", include: ["test/**/*.test.ts"] }
})
