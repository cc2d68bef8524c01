import { defineConfig } from "vitest/config"

export default defineConfig({
  test: { name: "toolchain", include: ["test/**/*.test.ts"] }
})
