import { ClickHouse, ClickHouseEngine, type ServerOptions } from "@headgate/mover-clickhouse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { UsageError } from "../StartupError.ts"
import type { WarehouseOptions } from "./readWarehouses.ts"

const layerOf = (options: WarehouseOptions, allowInsecureHttp: boolean) => {
  if ("directory" in options) return ClickHouseEngine.layerEmbedded(options)
  const server: ServerOptions = { ...options, allowInsecureHttp }
  return ClickHouseEngine.layerServer(server)
}

/**
 * The engines of the warehouses, by name. Opening connects to no server, so a warehouse that is away keeps no server from
 * starting; options that are wrong, and an embedded engine that is not installed, do.
 */
export const openWarehouses = Effect.fnUntraced(function* (
  warehouses: ReadonlyMap<string, WarehouseOptions>,
  allowInsecureHttp: boolean
): Effect.fn.Return<ReadonlyMap<string, ClickHouse["Service"]>, UsageError, Scope.Scope> {
  const engines = new Map<string, ClickHouse["Service"]>()
  for (const [name, options] of warehouses) {
    const context = yield* Layer.build(layerOf(options, allowInsecureHttp)).pipe(
      Effect.mapError(({ message }) => new UsageError({ message: `the warehouse ${name}: ${message}` }))
    )
    engines.set(name, Context.get(context, ClickHouse))
  }
  return engines
})
