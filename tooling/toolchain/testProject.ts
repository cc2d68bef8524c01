import { defineConfig, type ViteUserConfig } from "vitest/config"

interface Options {
  /** In seconds. It only ends what hangs: how fast the machine is, is no test. */
  readonly timeout?: number
  readonly maxConcurrency?: number
  /**
   * Whether Vite loads the modules: for tests that load them a second time by `vi.resetModules`, or that import a package whose files
   * for `development`, the condition that Vitest gives to Node, are sources.
   */
  readonly usesVite?: boolean
}

/**
 * The Vitest project of a package: all files named `*.test.ts` in its folder `test`. They share the modules that they import, which
 * to load anew takes longer than most tests: no file may change one or keep a state in it. Node loads the modules by itself and
 * strips their types, which takes a fifth less CPU than to transform them with Vite. `npm run test:long` also runs those
 * named `*.long.test.ts`.
 */
export const testProject = (
  name: string,
  { maxConcurrency = 5, usesVite = false, timeout = 300 }: Options = {}
): ViteUserConfig =>
  defineConfig({
    test: {
      name,
      isolate: false,
      experimental: { viteModuleRunner: usesVite, nodeLoader: false },
      include: ["test/**/*.test.ts"],
      exclude: process.env["HEADGATE_LONG_TESTS"] === "1" ? [] : ["test/**/*.long.test.ts"],
      testTimeout: timeout * 1000,
      hookTimeout: timeout * 1000,
      maxConcurrency
    }
  })
