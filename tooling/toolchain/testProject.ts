import { defineConfig, type ViteUserConfig } from "vitest/config"

interface Options {
  /**
   * Whether Vite loads the modules: for tests that load them a second time by `vi.resetModules`, or that import a package whose files
   * for `development`, the condition that Vitest gives to Node, are sources.
   */
  readonly usesVite?: boolean
  /** The folders of the packages whose tests these are, and those among them whose tests are another project's. */
  readonly folders?: ReadonlyArray<string>
  readonly except?: ReadonlyArray<string>
}

/** In seconds. It only ends what hangs: how fast the machine is, is no test. */
const timeout = 600

/**
 * A Vitest project: all files named `*.test.ts` in the folder `test` of a package, or of several. They share the modules that they
 * import, which to load anew takes longer than most tests: no file may change one or keep a state in it. Node loads the modules by
 * itself and strips their types, which takes a fifth less CPU than to transform them with Vite. `npm run test:long` also runs those
 * named `*.long.test.ts`.
 */
export const testProject = (
  name: string,
  { except = [], folders = ["."], usesVite = false }: Options = {}
): ViteUserConfig =>
  defineConfig({
    test: {
      name,
      isolate: false,
      // In MiB. With a larger part of the heap for new objects, the collector copies fewer: an eighth less CPU than by default.
      execArgv: ["--max-semi-space-size=64"],
      experimental: { viteModuleRunner: usesVite, nodeLoader: false },
      include: folders.map((folder) => `${folder}/test/**/*.test.ts`),
      exclude: [
        ...(process.env["HEADGATE_LONG_TESTS"] === "1" ? [] : ["**/*.long.test.ts"]),
        ...except.map((folder) => `${folder}/**`)
      ],
      testTimeout: timeout * 1000,
      hookTimeout: timeout * 1000,
      // Of tests that are declared as concurrent, which wait.
      maxConcurrency: 32
    }
  })
