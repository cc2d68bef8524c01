import { CdcScaling } from "@headgate/core"
import { cdcScalingOperations } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ManagementConnection } from "../Connection.ts"
import type { ManagementApi } from "../connect.ts"
import { portOf } from "../portOf.ts"

/** The port `CdcScaling` over a connection, without a layer. */
export const makeHttpCdcScaling = (connection: ManagementApi): CdcScaling["Service"] =>
  portOf<CdcScaling["Service"]>()(cdcScalingOperations(connection.dialect), connection, "HttpCdcScaling")

const layer: Layer.Layer<CdcScaling, never, ManagementConnection> = Layer.effect(
  CdcScaling,
  Effect.map(ManagementConnection, makeHttpCdcScaling)
)

/**
 * The `CdcScaling` port over the management API.
 *
 * @example
 * ```ts
 * import { CdcScaling, type ServiceAddress } from "@headgate/core"
 * import { HttpCdcScaling } from "@headgate/http-adapter"
 * import * as Effect from "effect/Effect"
 *
 * // It leaves a `ManagementConnection` to provide.
 * export const sizeOf = (address: ServiceAddress) =>
 *   CdcScaling.use((scaling) => scaling.get(address)).pipe(Effect.provide(HttpCdcScaling.layer))
 * ```
 */
export const HttpCdcScaling = { layer }
