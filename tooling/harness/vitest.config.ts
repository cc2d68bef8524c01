import { defineConfig } from "vitest/config"

export default defineConfig({
  // The timeout ends what hangs; no test depends on the speed of the machine. No file keeps state, so they share modules.
  test: { name: "harness", isolate: false, include: ["test/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 }
})
