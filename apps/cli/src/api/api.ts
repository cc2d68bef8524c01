import { escapeTerminal, write } from "@headgate/command-line"
import type { CallError } from "@headgate/core"
import { ManagementConnection, ObservabilityConnection, type RawRequest, sendRaw } from "@headgate/http-adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stdio from "effect/Stdio"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { ResponseError } from "../error/CommandError.ts"
import { isRead } from "../request/isRead.ts"
import { readTextFile } from "../settings/document.ts"
import * as Stdin from "../settings/stdin.ts"
import { management, managementSettings, observability, observabilitySettings, over } from "../settings/withPorts.ts"
import { invalidValue } from "../usage/validate.ts"

/** The response of a raw request. */
interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends raw requests with the credentials of one API. */
class RawApi extends Context.Service<
  RawApi,
  { readonly send: (request: RawRequest) => Effect.Effect<RawResponse, CallError> }
>()("headgate/api/RawApi") {}

const rawManagement = Layer.effect(
  RawApi,
  Effect.map(ManagementConnection, (connection) => ({ send: sendRaw(connection, "management") }))
).pipe(Layer.provide(management))

const rawObservability = Layer.effect(
  RawApi,
  Effect.map(ObservabilityConnection, (connection) => ({ send: sendRaw(connection, "observability") }))
).pipe(Layer.provide(observability))

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const

/** Whether a path is one of the observability API; all others are of the management API. */
const isObservability = (path: string): boolean => path.startsWith("/api/v2/")

const path = { kind: "argument", name: "path" } as const

const input = {
  method: Argument.Literals("method", methods).pipe(Argument.withDescription("HTTP method, in capitals")),
  path: Argument.String("path").pipe(
    Argument.withDescription("Path with its query: /v1/... with the API key, /api/v2/... with the token"),
    Argument.mapEffect((text) =>
      // Only visible ASCII: an HTTP client would cut or encode anything else.
      /^\/(v1|api\/v2)\/[!-~]*$/.test(text)
        ? Effect.succeed(text)
        : Effect.fail(invalidValue(path, text, "Expected a path that begins with /v1/ or /api/v2/"))
    )
  ),
  data: Flag.String("data").pipe(
    Flag.withAlias("d"),
    Flag.withMetavar("text|@file|-"),
    Flag.withDescription("Body: a text, @ and the name of a file, or - for stdin"),
    Flag.optional
  ),
  contentType: Flag.String("content-type").pipe(
    Flag.withMetavar("type"),
    Flag.withDescription("Content type of the body, application/json by default"),
    Flag.withDefault("application/json")
  ),
  include: Flag.Boolean("include").pipe(
    Flag.withAlias("i"),
    Flag.withDescription("Print the status and the headers of the response before its body"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  )
}

const readData = Effect.fnUntraced(function* (data: string) {
  if (data === "-") return yield* Stdin.readAll("--data")
  return data.startsWith("@") ? yield* readTextFile(data.slice(1), `--data ${data}`) : data
})

const headText = ({ headers, status }: RawResponse): string =>
  [`HTTP ${status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "", ""].join("\n")

/** `headgate api <method> <path>` */
export const command = Command.make(
  "api",
  input,
  Effect.fnUntraced(function* ({ contentType, data, include, method, path }) {
    const body = Option.getOrUndefined(data)
    const { send } = yield* RawApi
    const response = yield* send({
      method,
      path,
      ...(body === undefined ? {} : { body: { text: yield* readData(body), contentType } })
    })
    const { stdoutIsTerminal } = yield* Stdio.Stdio
    const received = (include ? headText(response) : "") + response.body
    const text = (yield* stdoutIsTerminal) ? escapeTerminal(received) : received
    if (text !== "")
      yield* write(text.replace(/\n$/, ""), isRead(method) ? undefined : `The service answered ${response.status}`)
    if (response.status < 200 || response.status > 299) {
      const requestId = response.headers["x-request-id"]
      return yield* new ResponseError({
        message: `the service answered with status ${response.status}`,
        status: response.status,
        method,
        path,
        ...(requestId === undefined ? {} : { requestId })
      })
    }
  })
).pipe(
  Command.withExamples([
    { command: "headgate api GET /v1/organizations", description: "Read what no command shows" },
    {
      command: "headgate api POST /api/v2/dashboards --data @dashboard.json --include",
      description: "Send a file, and print the headers of the response"
    }
  ]),
  over(Layer.empty, Effect.void),
  Command.provide(({ path }) => Layer.unwrap(Effect.succeed(isObservability(path) ? rawObservability : rawManagement))),
  Command.provideEffectDiscard(({ path }) => (isObservability(path) ? observabilitySettings : managementSettings))
)
