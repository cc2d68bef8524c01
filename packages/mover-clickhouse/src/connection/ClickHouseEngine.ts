import {
  ClickHouse,
  ClickHouseEngine as Engine,
  type EngineConfigError,
  type EmbeddedOptions,
  type ServerOptions
} from "@headgate/clickhouse"
import { WarehouseRefused } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const refuse = (engine: Layer.Layer<ClickHouse, EngineConfigError>): Layer.Layer<ClickHouse, WarehouseRefused> =>
  Layer.catchTag(engine, "EngineConfigError", ({ message }) =>
    Layer.effect(ClickHouse, Effect.fail(new WarehouseRefused({ message })))
  )

/**
 * The two ways to an engine. A server is connected to with the first statement: an address that does not answer is a
 * `WarehouseError` of that one.
 */
export const ClickHouseEngine = {
  layerServer: (options: ServerOptions) => refuse(Engine.layerServer(options)),
  layerEmbedded: (options: EmbeddedOptions) => refuse(Engine.layerEmbedded(options))
}
