import { RequestChecks } from "@headgate/core/adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { invalidOptions } from "./CallOptions.ts"
import {
  type ClientOptions,
  type ManagementClientOptions,
  type ObservabilityClientOptions,
  type ValidOptions,
  validateOptions
} from "./ClientOptions.ts"
import { ClientDefaults, type Defaults } from "./Defaults.ts"
import type { Closeable } from "./Closeable.ts"
import { type ManagementNouns, type Noun, nounsOf, type ObservabilityNouns, type PortOf } from "./Noun.ts"
import { type Requests, requestsOver } from "./Requests.ts"
import { makeRunner, executionIn, type Runner } from "./Runner.ts"
import { type Connecting, openManagement, openObservability, throwIssues } from "./httpConnections.ts"

/** The port of a noun over a connection. It is made at the first call. */
const overConnection =
  (connection: unknown) =>
  (noun: Noun<any, any, any, unknown>): PortOf<any, never> => {
    let port: unknown
    return Effect.sync(() => (port ??= noun.overHttp(connection)))
  }

/** The methods of nouns over a connection. */
const methodsOf = <Methods extends object>(
  { run }: Runner<never>,
  connecting: Connecting<unknown> | undefined,
  nouns: { readonly [Name in keyof Methods]: Noun<any, any, any, Methods[Name]> }
): Methods | undefined =>
  connecting !== undefined && Result.isSuccess(connecting)
    ? nounsOf<never, Methods>(nouns, run, overConnection(connecting.success))
    : undefined

/** What is set for all calls of a client. The service judges the values of their requests. */
const contextOf = (options: Defaults): Context.Context<never> =>
  Context.add(Context.make(RequestChecks, "types"), ClientDefaults, options)

const closeable = <Methods>(methods: Methods, { close }: Runner<never>): Closeable & Methods => ({
  ...methods,
  close,
  [Symbol.asyncDispose]: close
})

/** Makes a client over HTTP, of the nouns of each API that the options name. */
export const makeHttpClient = <Management extends object, Observability extends object>(
  options: ClientOptions,
  nouns: {
    readonly management: ManagementNouns<Management>
    readonly observability: ObservabilityNouns<Observability>
  }
): Closeable & Requests & Partial<Management> & Partial<Observability> => {
  const valid = validateOptions(options)
  const management = openManagement(valid)
  const observability = openObservability(valid)
  throwIssues(management, observability)
  const runner = makeRunner(executionIn(contextOf(valid)))
  const methods: Partial<Management> & Partial<Observability> = {
    ...methodsOf(runner, management, nouns.management),
    ...methodsOf(runner, observability, nouns.observability)
  }
  return closeable({ ...methods, ...requestsOver(runner, { management, observability }) }, runner)
}

const single = <Methods extends object>(
  api: "management" | "observability",
  options: ValidOptions,
  connecting: Connecting<unknown> | undefined,
  nouns: { readonly [Name in keyof Methods]: Noun<any, any, any, Methods[Name]> }
): Closeable & Methods => {
  throwIssues(connecting)
  const runner = makeRunner(executionIn(contextOf(options)))
  const methods = methodsOf(runner, connecting, nouns)
  if (methods === undefined) throw invalidOptions([{ path: api, message: "Missing: it is required" }])
  return closeable(methods, runner)
}

/** Makes a client of some nouns of the management API: that of an entry point. */
export const makeManagementClient = <Methods extends object>(
  options: ManagementClientOptions,
  nouns: ManagementNouns<Methods>
): Closeable & Methods => {
  const valid = validateOptions(options)
  return single("management", valid, openManagement(valid), nouns)
}

/** Makes a client of some nouns of the observability API: that of an entry point. */
export const makeObservabilityClient = <Methods extends object>(
  options: ObservabilityClientOptions,
  nouns: ObservabilityNouns<Methods>
): Closeable & Methods => {
  const valid = validateOptions(options)
  return single("observability", valid, openObservability(valid), nouns)
}
