import { env } from "node:process"

const hook = new URL("../../../../tooling/toolchain/engineModule.mjs", import.meta.url)

/** The environment of a server that finds the embedded engine in the folder HEADGATE_CHDB. */
export const withEngine = { NODE_OPTIONS: `--import ${hook.href}`, HEADGATE_ENGINE: env["HEADGATE_CHDB"] ?? "" }
