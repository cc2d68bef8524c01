import type { Layer } from "effect/Layer"
import type * as Schema from "effect/Schema"
import type { HttpClient } from "effect/http/HttpClient"
import { inspect } from "node:util"
import { fullPipe } from "@headgate/samples"
import type { Contestants, Work } from "../work/ContestantProcess.ts"
import { authorization, organization, pathOf, pipeIds } from "./served.ts"

/** A way to read a pipe over HTTP. */
interface Client {
  readonly read: (pipeId: string) => Promise<unknown>
  /** Turns what was read back into the document. Default: it is the document. */
  readonly toDocument?: (pipe: unknown) => unknown
  /** Whether it checks what it reads. */
  readonly checks: boolean
  /** Whether it repeats a read after a 503 and redacts secrets. */
  readonly retriesAndRedacts: boolean
}

/** The base URL of the server, from the command line of the contestant's process. */
export const baseUrl = (): string => process.argv[4] ?? ""

const secret = JSON.stringify(fullPipe).match(/AccountKey=[^"]+/)?.[0] ?? "no secret"

const fails = (read: Promise<unknown>): Promise<boolean> =>
  read.then(
    () => false,
    () => true
  )

/** The reading of the full pipe as work to measure. */
export const clientWork = ({ checks, read, retriesAndRedacts, toDocument = (pipe) => pipe }: Client): Work => ({
  once: async () => toDocument(await read(pipeIds.full)) as Schema.Json, // compared with the document
  accepted: async () => [
    ...(checks && !(await fails(read(pipeIds.wrong))) ? ["a pipe whose name is a number"] : []),
    ...(retriesAndRedacts && (await fails(read(pipeIds.unsteady))) ? ["a 503, which it should have retried"] : []),
    ...(retriesAndRedacts && inspect(await read(pipeIds.full), { depth: null }).includes(secret)
      ? ["a pipe that shows its secret"]
      : [])
  ],
  repeat: async (times, atOnce) => {
    let left = times
    const caller = async () => {
      while (left-- > 0) await read(pipeIds.full)
    }
    await Promise.all(Array.from({ length: atOnce }, caller))
  }
})

const headers = { authorization, accept: "application/json" }

/** The port over an HTTP client with its defaults: retries, timeouts, validation, redaction. */
const headgate = async (httpClient: Layer<HttpClient>): Promise<Work> => {
  const { OrganizationId, Pipe, PipeId, Pipes, ServiceId } = await import("@headgate/core")
  const { HttpAdapter } = await import("@headgate/http-adapter")
  const { Effect, Layer, ManagedRuntime, Redacted, Schema } = await import("effect")
  const { id, keyId, keySecret, serviceId } = organization
  const options = { baseUrl: baseUrl(), keyId, keySecret: Redacted.make(keySecret) }
  const runtime = ManagedRuntime.make(HttpAdapter.layerManagement(options).pipe(Layer.provide(httpClient)))
  const pipes = await runtime.runPromise(Pipes.use(Effect.succeed))
  const address = { organizationId: OrganizationId.make(id), serviceId: ServiceId.make(serviceId) }
  return clientWork({
    checks: true,
    retriesAndRedacts: true,
    // One promise for each call, as in a program that does not use Effect.
    read: (pipeId) => Effect.runPromise(pipes.get({ ...address, pipeId: PipeId.make(pipeId) })),
    toDocument: Schema.encodeUnknownSync(Pipe)
  })
}

/** Ways to read a pipe over HTTP. */
export const contestants: Contestants = {
  "headgate on undici": async () => headgate((await import("@headgate/http-adapter/undici")).UndiciHttpClient.layer),
  "headgate on fetch": async () => headgate((await import("effect/http/FetchHttpClient")).layer),
  "fetch + JSON.parse": async () =>
    clientWork({
      checks: false,
      retriesAndRedacts: false,
      read: async (pipeId) => JSON.parse(await (await fetch(baseUrl() + pathOf(pipeId), { headers })).text()).result
    }),
  "undici + JSON.parse": async () => {
    const { request } = await import("undici")
    return clientWork({
      checks: false,
      retriesAndRedacts: false,
      read: async (pipeId) =>
        JSON.parse(await (await request(baseUrl() + pathOf(pipeId), { headers })).body.text()).result
    })
  }
}
