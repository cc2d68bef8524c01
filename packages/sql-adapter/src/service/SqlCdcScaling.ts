import { CdcScaling } from "@headgate/core"
import { cdcReplicaRules, checkServiceRuns, notFound } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { orServerError } from "../internal/outage.ts"
import { writeTransaction } from "../internal/transaction.ts"
import { encodeCdcReplicaSize, makeFindService, makeLockService } from "./ServiceRow.ts"

const layer: Layer.Layer<CdcScaling, never, SqlClient.SqlClient> = Layer.effect(
  CdcScaling,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const find = makeFindService(sql)
    const lock = makeLockService(sql)

    return CdcScaling.of({
      get: Effect.fn("SqlCdcScaling.get")(function* (address) {
        const record = yield* orServerError(find(address))
        return record === undefined
          ? yield* notFound("ServiceNotFound", address)
          : (record.cdcScaling ?? cdcReplicaRules.default)
      }),
      update: Effect.fn("SqlCdcScaling.update")(function* (address, update) {
        const updated = Effect.gen(function* () {
          const { cdcScaling, service } = yield* lock(address)
          yield* checkServiceRuns(service.state)
          const size = yield* cdcReplicaRules.change(cdcScaling ?? cdcReplicaRules.default, update)
          yield* sql`
            UPDATE service SET cdc_scaling = ${yield* encodeCdcReplicaSize(size)} WHERE id = ${address.serviceId}`
          return size
        })
        return yield* orServerError(writeTransaction(sql)(updated))
      })
    })
  })
)

/** The `CdcScaling` port over SQL. */
export const SqlCdcScaling = { layer }
