import { defineConfig } from "vitest/config"

// Run by brokenCaches.test.ts, which wants these to fail.
export default defineConfig({ test: { root: import.meta.dirname, include: ["*.laws.ts"] } })
