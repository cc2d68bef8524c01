import * as Layer from "effect/Layer"
import { ClickHouse } from "./ClickHouse.ts"
import type { EmbeddedOptions, ServerOptions } from "./ClickHouseOptions.ts"
import { embedded } from "./embedded.ts"
import type { EngineConfigError } from "./EngineFailure.ts"
import { server } from "./server.ts"

/**
 * A server, over its HTTP interface. The layer connects to nothing: an address that does not answer is a failure of the
 * statement that needs it.
 */
const layerServer = (options: ServerOptions): Layer.Layer<ClickHouse, EngineConfigError> =>
  Layer.effect(ClickHouse, server(options))

/** The engine inside this process. One process at a time opens a folder, and a process opens one folder. */
const layerEmbedded = (options: EmbeddedOptions): Layer.Layer<ClickHouse, EngineConfigError> =>
  Layer.effect(ClickHouse, embedded(options))

/** The two ways to an engine. */
export const ClickHouseEngine = { layerServer, layerEmbedded }
