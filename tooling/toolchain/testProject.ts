import { defineConfig, type ViteUserConfig } from "vitest/config"

interface Options {
  /** In seconds. It only ends what hangs: how fast the machine is, is no test. */
  readonly timeout?: number
  readonly maxConcurrency?: number
}

/**
 * The Vitest project of a package: all files named `*.test.ts` in its folder `test`. They share the modules that they import, which
 * to load anew takes longer than most tests: no file may change one or keep a state in it. `npm run test:long` also runs those named
 * `*.long.test.ts`.
 */
export const testProject = (name: string, { maxConcurrency = 5, timeout = 60 }: Options = {}): ViteUserConfig =>
  defineConfig({
    test: {
      name,
      isolate: false,
      include: ["test/**/*.test.ts"],
      exclude: process.env["HEADGATE_LONG_TESTS"] === "1" ? [] : ["test/**/*.long.test.ts"],
      testTimeout: timeout * 1000,
      hookTimeout: timeout * 1000,
      maxConcurrency
    }
  })
