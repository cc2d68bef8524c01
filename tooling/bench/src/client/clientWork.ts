import { inspect } from "node:util"
import type * as Schema from "effect/Schema"
import { fullPipe } from "../document/fullPipe.ts"
import type { Work } from "../measure/Contestant.ts"
import { pipeIds } from "./served.ts"

/** The base URL of the raw server, which the process of a contestant is started with. */
export const baseUrl = (): string => process.argv[3] ?? ""

/** A way to read a pipe over HTTP. */
export interface Client {
  /** Reads one pipe: one request, its answer, whatever is done with it. */
  readonly read: (pipeId: string) => Promise<unknown>
  /** Turns what was read back: instants into their text, secrets into the clear. Default: it is the document still. */
  readonly toDocument?: (pipe: unknown) => unknown
  /** Whether it looks at what it reads. */
  readonly checks: boolean
  /** Whether it repeats a read that failed for a while, and shows no secret. */
  readonly hasManners: boolean
}

const fails = async (client: Client, pipeId: string): Promise<boolean> =>
  client.read(pipeId).then(
    () => false,
    () => true
  )

const secret = JSON.stringify(fullPipe).match(/AccountKey=[^"]+/)?.[0] ?? "no secret"

/** The reading of the full pipe, again and again. */
export const clientWork = (client: Client): Work => ({
  // The verifier compares it with the document: whatever it is.
  once: async () => (client.toDocument ?? ((pipe) => pipe))(await client.read(pipeIds.full)) as Schema.Json,
  accepted: async () => [
    ...(client.checks && !(await fails(client, pipeIds.wrong)) ? ["a pipe whose name is a number"] : []),
    ...(client.hasManners && (await fails(client, pipeIds.unsteady)) ? ["a 503, which it should have repeated"] : []),
    ...(client.hasManners && inspect(await client.read(pipeIds.full), { depth: null }).includes(secret)
      ? ["a pipe that shows its secret"]
      : [])
  ],
  repeat: async (times, atOnce) => {
    let left = times
    const caller = async () => {
      while (left-- > 0) await client.read(pipeIds.full)
    }
    await Promise.all(Array.from({ length: atOnce }, caller))
  }
})
