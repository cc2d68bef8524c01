import { type ServiceAddress, Services } from "@headgate/core"
import { moveService, notFound, type ServiceState, StoredServices } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { dieOnOutage, orServerError } from "../internal/outage.ts"
import { organizationRecords, ownedTables, tablesUnderService } from "../internal/tables.ts"
import { writeTransaction } from "../internal/transaction.ts"
import { makeFindService, makeLockService, makeSelectServices, makeUpdateState } from "./ServiceRow.ts"

const layer: Layer.Layer<Services, never, SqlClient.SqlClient> = Layer.effect(
  Services,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const select = makeSelectServices(sql)
    const find = makeFindService(sql)
    const lock = makeLockService(sql)
    const updateState = makeUpdateState(sql)

    return Services.of({
      list: Effect.fn("SqlServices.list")(function* ({ organizationId }) {
        const records = yield* orServerError(select(sql`WHERE organization_id = ${organizationId} ORDER BY seq`))
        if (records.length === 0) {
          const found = yield* orServerError(sql`SELECT id FROM organization WHERE id = ${organizationId}`)
          if (found.length === 0) return yield* notFound("OrganizationNotFound", { organizationId })
        }
        return records.map(({ service }) => service)
      }),
      get: Effect.fn("SqlServices.get")(function* (address) {
        return (yield* orServerError(find(address)))?.service ?? (yield* notFound("ServiceNotFound", address))
      }),
      setState: Effect.fn("SqlServices.setState")(function* (address, change) {
        const moved = Effect.gen(function* () {
          const { service } = yield* lock(address)
          const state = yield* moveService(service.state, change)
          if (state !== service.state) yield* updateState(address, state)
          return { ...service, state }
        })
        return yield* orServerError(writeTransaction(sql)(moved))
      })
    })
  })
)

const layerStored: Layer.Layer<StoredServices, never, SqlClient.SqlClient> = Layer.effect(
  StoredServices,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const lock = makeLockService(sql)
    const updateState = makeUpdateState(sql)

    return StoredServices.of({
      forceState: Effect.fn("SqlStoredServices.forceState")(function* (address: ServiceAddress, state: ServiceState) {
        yield* dieOnOutage(writeTransaction(sql)(Effect.andThen(lock(address), updateState(address, state))))
      }),
      remove: Effect.fn("SqlStoredServices.remove")(function* (address) {
        const removed = Effect.gen(function* () {
          yield* lock(address)
          for (const table of tablesUnderService) {
            yield* sql`DELETE FROM ${sql(table)} WHERE service_id = ${address.serviceId}`
          }
          yield* sql`DELETE FROM service WHERE id = ${address.serviceId}`
        })
        yield* dieOnOutage(writeTransaction(sql)(removed))
      }),
      removeOrganization: Effect.fn("SqlStoredServices.removeOrganization")(function* (organizationId) {
        const ofOrganization = sql`WHERE organization_id = ${organizationId}`
        // Creations in flight end first. Every writer locks rows before the usage of their organization.
        const lockRows = Effect.gen(function* () {
          yield* sql`SELECT id FROM organization WHERE id = ${organizationId} FOR UPDATE`
          for (const table of ownedTables.toReversed()) {
            yield* sql`SELECT id FROM ${sql(table)} ${ofOrganization} ORDER BY seq FOR UPDATE`
          }
        })
        const removed = Effect.gen(function* () {
          yield* sql.onDialectOrElse({ pg: () => lockRows, orElse: () => Effect.void })
          // The usage last: each deletion counts in it.
          for (const table of [...ownedTables, ...organizationRecords]) {
            yield* sql`DELETE FROM ${sql(table)} ${ofOrganization}`
          }
          const found = yield* sql`DELETE FROM organization WHERE id = ${organizationId} RETURNING id`
          if (found.length === 0) return yield* notFound("OrganizationNotFound", { organizationId })
        })
        yield* dieOnOutage(writeTransaction(sql)(removed))
      })
    })
  })
)

/** The ports to services over SQL: `layer` is `Services`, `layerStored` is `StoredServices`. */
export const SqlServices = { layer, layerStored }
