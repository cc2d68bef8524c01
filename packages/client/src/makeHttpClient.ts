import type { InvalidRequest } from "@headgate/core"
import { ManagementConnection, ObservabilityConnection } from "@headgate/http-adapter"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { invalidOptions } from "./CallOptions.ts"
import {
  type ManagementClientOptions,
  type ObservabilityClientOptions,
  type ValidOptions,
  validateOptions
} from "./ClientOptions.ts"
import type { Closeable } from "./Closeable.ts"
import { type ManagementNouns, type Noun, nounsOf, type ObservabilityNouns, type PortOf } from "./Noun.ts"
import { makeRunner } from "./Runner.ts"
import { httpLayers } from "./httpLayers.ts"

/** The port of a noun over a connection. It is made at the first call. */
const overConnection =
  <Id, Connection>(key: Context.Key<Id, Connection>) =>
  (noun: Noun<any, any, any, unknown>): PortOf<any, Id> => {
    let port: unknown
    return Effect.map(key, (connection) => (port ??= noun.overHttp(connection)))
  }

/** The methods of the nouns of an API over its connection, and what closes it. */
const open = <Id, Connection, Methods extends object>(
  key: Context.Key<Id, Connection>,
  connection: Layer.Layer<Id, InvalidRequest>,
  nouns: { readonly [Name in keyof Methods]: Noun<any, any, any, Methods[Name]> }
) => {
  const { close, run } = makeRunner(connection)
  return { methods: nounsOf<Id, Methods>(nouns, run, overConnection(key)), close }
}

/** Makes a client over HTTP, of the nouns of each API that the options name. */
export const makeHttpClient = <Management extends object, Observability extends object>(
  options: ValidOptions,
  nouns: {
    readonly management?: ManagementNouns<Management>
    readonly observability?: ObservabilityNouns<Observability>
  }
): Closeable & Partial<Management> & Partial<Observability> => {
  const layers = httpLayers(options)
  const management =
    layers.management && nouns.management && open(ManagementConnection, layers.management, nouns.management)
  const observability =
    layers.observability &&
    nouns.observability &&
    open(ObservabilityConnection, layers.observability, nouns.observability)
  const close = async () => {
    await Promise.all([management?.close(), observability?.close()])
  }
  const methods: Partial<Management> & Partial<Observability> = { ...management?.methods, ...observability?.methods }
  return { ...methods, close, [Symbol.asyncDispose]: close }
}

const required = (path: string) => invalidOptions([{ path, message: "Missing: it is required" }])

/** Makes a client of some nouns of the management API: that of an entry point. */
export const makeManagementClient = <Methods extends object>(
  options: ManagementClientOptions,
  nouns: ManagementNouns<Methods>
): Closeable & Methods => {
  const valid = validateOptions(options)
  if (valid.management === undefined) throw required("management")
  // The API is given, and so are its nouns.
  return makeHttpClient({ ...valid, observability: undefined }, { management: nouns }) as Closeable & Methods
}

/** Makes a client of some nouns of the observability API: that of an entry point. */
export const makeObservabilityClient = <Methods extends object>(
  options: ObservabilityClientOptions,
  nouns: ObservabilityNouns<Methods>
): Closeable & Methods => {
  const valid = validateOptions(options)
  if (valid.observability === undefined) throw required("observability")
  // As in `makeManagementClient`.
  return makeHttpClient({ ...valid, management: undefined }, { observability: nouns }) as Closeable & Methods
}
