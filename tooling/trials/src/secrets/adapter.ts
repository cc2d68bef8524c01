import {
  ApiKeys,
  type CallError,
  CreatedApiKey,
  Dashboards,
  OrganizationId,
  Pipe,
  PipeId,
  type PipeNotFound,
  Pipes,
  ServiceId
} from "@headgate/core"
import { HttpAdapter } from "@headgate/http-adapter"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as Schema from "effect/Schema"
import * as Tracer from "effect/Tracer"
import { inspect } from "node:util"
import { echoModes, isFailure, startEcho } from "./echo.ts"
import type { Stage } from "./Stage.ts"
import { ids } from "./world.ts"

const organizationId = OrganizationId.make(ids.organization)
const address = { organizationId, serviceId: ServiceId.make(ids.service), pipeId: PipeId.make(ids.pipe) }

type Call = Effect.Effect<unknown, CallError | PipeNotFound, ApiKeys | Dashboards | Pipes>

/** Every method of the ports. */
const calls: Readonly<Record<string, Call>> = {
  "pipes.get": Pipes.use((pipes) => pipes.get(address)),
  "pipes.delete": Pipes.use((pipes) => pipes.delete(address)),
  "keys.create": ApiKeys.use((keys) => keys.create(organizationId, { name: "x", roles: ["admin"] })),
  "dashboards.create": Dashboards.use((dashboards) => dashboards.create({ name: "x" })),
  "dashboards.list": Dashboards.use((dashboards) => dashboards.list())
}

/** A value in every way that somebody might print it. */
const printed = (value: unknown): string =>
  [
    inspect(value, { depth: null, maxArrayLength: null, maxStringLength: null }),
    inspect(value, { depth: null, showHidden: true, getters: true }),
    JSON.stringify(value),
    String(value)
  ].join("\n")

const printedCause = (cause: Cause.Cause<unknown>): string =>
  [
    Cause.pretty(cause),
    printed(cause),
    printed(Cause.squash(cause)),
    ...Cause.prettyErrors(cause).map((error) => `${error.stack} ${printed(error)}`)
  ].join("\n")

/** Keeps every span with its attributes and its end, and every line that the loggers would write. */
const recorder = () => {
  const spans: Array<Tracer.Span> = []
  const lines: Array<string> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const logger = Logger.make((options) => {
    lines.push(printed(options.message), Logger.formatJson.log(options), Logger.formatLogFmt.log(options))
  })
  const layer = Layer.mergeAll(
    Layer.succeed(Tracer.Tracer, tracer),
    Logger.layer([logger]),
    Layer.succeed(References.MinimumLogLevel, "All"),
    // By default no header is recorded; here every one that is sent.
    Layer.succeed(HttpClient.TracerHeaderFilter, (_, phase) => phase === "request")
  )
  const spansPrinted = () =>
    spans
      .map(({ attributes, name, status }) => {
        const end = status._tag === "Ended" && Exit.isFailure(status.exit) ? printedCause(status.exit.cause) : ""
        return `${name} ${inspect([...attributes], { depth: null })} ${end}`
      })
      .join("\n")
  return { layer, lines, spans, spansPrinted }
}

/** A call that fails: its error, its logs and its spans. */
const failing = async (stage: Stage, url: string, name: string, call: Call) => {
  const { marks, search } = stage
  const record = recorder()
  const keySecret = Redacted.make(marks.plant(`key secret of the adapter, ${name}`).value)
  const token = Redacted.make(marks.plant(`token of the adapter, ${name}`).value)
  const options = { baseUrl: url, maxRetries: 0, deadline: "1 second" } as const
  const ports = Layer.merge(
    HttpAdapter.layerManagement({ ...options, keyId: "key-of-admin", keySecret }),
    HttpAdapter.layerObservability({ ...options, token })
  ).pipe(Layer.provide(FetchHttpClient.layer))
  const exit = await call.pipe(
    Effect.tapCause((cause) => Effect.logError("failed", cause)),
    Effect.provide(ports),
    Effect.provide(record.layer),
    Effect.runPromiseExit
  )
  if (Exit.isSuccess(exit)) throw new Error(`${name}: it has not failed`)
  if (record.lines.length === 0 || record.spans.length < 2) throw new Error(`${name}: nothing was logged or traced`)
  search.add(`adapter, ${name}: error`, printedCause(exit.cause))
  search.add(`adapter, ${name}: logs`, record.lines.join("\n"))
  search.add(`adapter, ${name}: spans`, record.spansPrinted())
}

/** Domain values that hold secrets, printed and logged. */
const values = async ({ marks, search }: Stage) => {
  const connectionString = marks.plant("connectionString of a decoded pipe").value
  const keySecret = marks.plant("secret of a decoded key").value
  const decoded = [
    Schema.decodeUnknownSync(Pipe)({
      id: ids.pipe,
      serviceId: ids.service,
      name: "x",
      state: "Running",
      source: { objectStorage: { connectionString } }
    }),
    Schema.decodeUnknownSync(CreatedApiKey)({ key: { id: ids.unknown, name: "x" }, keyId: "x", keySecret })
  ]
  const { layer, lines } = recorder()
  await Effect.runPromise(Effect.provide(Effect.logInfo("decoded", decoded), layer))
  search.add("decoded values", decoded.map(printed).join("\n"))
  search.add("decoded values, logged", lines.join("\n"))
}

/** The HTTP adapter in this process: errors, causes, logs and spans of every call, refused or broken off in every way. */
export const adapter = async (stage: Stage): Promise<void> => {
  const echo = await startEcho()
  for (const mode of echoModes) {
    for (const [name, call] of Object.entries(calls)) {
      if (isFailure(name, mode)) await failing(stage, `${echo.url}/${mode}`, `${name}, ${mode}`, call)
    }
  }
  echo.close()
  await values(stage)
}
