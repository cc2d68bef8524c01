import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    projects: ["{packages,apps,tooling}/*/vitest.config.ts", "packages/*/examples/*/vitest.config.ts"],
    passWithNoTests: true
  }
})
