import { type ViteUserConfig } from "vitest/config";
interface Options {
    /** In seconds. It only ends what hangs: how fast the machine is, is no test. */
    readonly timeout?: number;
    /** Whether its files share a server, for which they run one after another. */
    readonly isInTurn?: boolean;
    readonly maxConcurrency?: number;
}
/**
 * The Vitest project of a package: all files named `*.test.ts` in its folder `test`. They share the modules that they import, which
 * to load anew takes longer than most tests: no file may change one or keep a state in it. `npm run test:long` also runs those named
 * `*.long.test.ts`.
 */
export declare const testProject: (name: string, { isInTurn, maxConcurrency, timeout }?: Options) => ViteUserConfig;
export {};
