import { ServiceId } from "@headgate/core"
import { ClickHouse, ClickHouseEngine, type ErrorTableName } from "@headgate/mover-clickhouse"
import { anyService, type WarehouseEngine } from "@headgate/mover-runtime"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { readFileSync, statSync } from "node:fs"
import { UsageError } from "../StartupError.ts"
import { clickHouseEngine } from "./clickHouseEngine.ts"
import { exitAtOnce } from "./exitAtOnce.ts"
import { embedded, type MoverOptions } from "./moverFlags.ts"

/** How to open a warehouse: a server, or the engine inside this process. */
export type WarehouseOptions =
  | { readonly url: string; readonly user: string; readonly password: Redacted.Redacted; readonly database: string }
  | { readonly directory: string; readonly database: string }

const isServiceId = Schema.is(ServiceId)

const usageError = (message: string) => new UsageError({ message })

const environmentUser = Config.String("HEADGATE_WAREHOUSE_USER").pipe(Config.withDefault("default"))
const environmentPassword = Config.Redacted("HEADGATE_WAREHOUSE_PASSWORD").pipe(Config.withDefault(Redacted.make("")))

/** The warehouse of `--warehouse`. Its URL is no secret: it stands in the list of processes. */
const warehouseOfFlag = Effect.fnUntraced(function* (text: string) {
  if (text.startsWith(embedded)) {
    const directory = text.slice(embedded.length)
    if (directory === "") return yield* usageError("--warehouse embedded:directory needs a directory")
    return { directory, database: "default" } satisfies WarehouseOptions
  }
  if (!URL.canParse(text))
    return yield* usageError("--warehouse: expected a URL such as https://host:8443, or embedded:directory")
  const url = new URL(text)
  if (url.username !== "" || url.password !== "") {
    return yield* usageError(
      "--warehouse: a URL on the command line is no place for credentials: set HEADGATE_WAREHOUSE_USER and HEADGATE_WAREHOUSE_PASSWORD"
    )
  }
  const database = url.searchParams.get("database") ?? "default"
  url.searchParams.delete("database")
  const [user, password] = [yield* environmentUser, yield* environmentPassword]
  return { url: url.href, user, password, database } satisfies WarehouseOptions
})

const WarehouseFile = Schema.fromJsonString(
  Schema.Record(
    Schema.String,
    Schema.Struct({
      url: Schema.String,
      user: Schema.optionalKey(Schema.String),
      password: Schema.optionalKey(Schema.String),
      database: Schema.optionalKey(Schema.String)
    })
  )
)

const readFile = Effect.fnUntraced(function* (path: string) {
  const text = yield* Effect.try({
    try: () => ({ mode: statSync(path).mode & 0o077, text: readFileSync(path, "utf8") }),
    catch: (cause) => usageError(`--warehouses ${path}: ${String(cause)}`)
  })
  if (text.mode !== 0 && process.platform !== "win32") {
    return yield* usageError(
      `--warehouses ${path}: others may read this file, which holds passwords: chmod 600 ${path}`
    )
  }
  // The error of a schema would show what the file holds.
  const entries = yield* Effect.mapError(Schema.decodeUnknownEffect(WarehouseFile)(text.text), () =>
    usageError(
      `--warehouses ${path}: expected {"<service id or *>": {"url", "user", "password", "database"}}, each a text and all but the url optional`
    )
  )
  const wrong = Object.keys(entries).find((name) => name !== anyService && !isServiceId(name))
  if (wrong !== undefined) {
    return yield* usageError(`--warehouses ${path}: ${JSON.stringify(wrong)} is neither the id of a service nor *`)
  }
  return new Map(
    Object.entries(entries).map(([name, { database = "default", password = "", url, user = "default" }]) => [
      name,
      { url, user, password: Redacted.make(password), database } satisfies WarehouseOptions
    ])
  )
})

/** The warehouses that the flags name, by service or for any: a file that is readable by others is a usage error. */
export const readWarehouses = Effect.fnUntraced(
  function* ({ warehouse, warehouses }: MoverOptions) {
    const found = new Map<string, WarehouseOptions>()
    if (Option.isSome(warehouse)) found.set(anyService, yield* warehouseOfFlag(warehouse.value))
    if (Option.isSome(warehouses)) {
      for (const [name, options] of yield* readFile(warehouses.value)) found.set(name, options)
    }
    return found
  },
  Effect.catchTag("ConfigError", ({ message }) => usageError(`the user and password of the warehouse: ${message}`))
)

const layerOf = (options: WarehouseOptions, allowInsecureHttp: boolean) =>
  "directory" in options
    ? ClickHouseEngine.layerEmbedded(options)
    : ClickHouseEngine.layerServer({ ...options, allowInsecureHttp })

/**
 * The engines of the warehouses, by name. Opening connects to no server, so a warehouse that is away keeps no server from
 * starting; options that are wrong, and an embedded engine that is not installed, do.
 */
export const openWarehouses = Effect.fnUntraced(function* (
  warehouses: ReadonlyMap<string, WarehouseOptions>,
  allowInsecureHttp: boolean,
  errorTable: ErrorTableName = "neutral"
): Effect.fn.Return<ReadonlyMap<string, WarehouseEngine>, UsageError, Scope.Scope> {
  const engines = new Map<string, WarehouseEngine>()
  for (const [name, options] of warehouses) {
    const context = yield* Layer.build(layerOf(options, allowInsecureHttp)).pipe(
      Effect.mapError(({ message }) => new UsageError({ message: `the warehouse ${name}: ${message}` }))
    )
    if ("directory" in options) yield* exitAtOnce
    engines.set(name, clickHouseEngine(Context.get(context, ClickHouse), errorTable))
  }
  return engines
})
