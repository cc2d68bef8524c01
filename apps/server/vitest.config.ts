import { defineConfig } from "vitest/config"

export default defineConfig({
  // The tests start processes and databases, on whatever machine: this only ends what hangs.
  test: { name: "headgate-server", include: ["test/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 }
})
