import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"

/** A path of this folder's parent. */
export const file = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Runs a script on this Node, and returns its exit code and what it printed. */
export const execute = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  new Promise<{ readonly code: unknown; readonly output: string }>((resolve) => {
    execFile(process.execPath, args, { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr })
    )
  })

/** Runs a trial against a server with a fault. */
export const run = (trial: string, broken: string, ...args: ReadonlyArray<string>) =>
  execute([file(`../src/${trial}.ts`), "--server", file(`./broken/${broken}.mjs`), ...args])
