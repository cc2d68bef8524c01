import { randomUUID } from "node:crypto"

/** The id of this run of the server. Test suites send it, so that they do not reset the server of another one. */
export const runId = randomUUID()

/** The header of `/_admin` that carries it, in requests and answers. */
export const runHeader = "headgate-run"
