import {
  type ReversePrivateEndpoint,
  type ReversePrivateEndpointAddress,
  ReversePrivateEndpoints,
  type ServiceAddress
} from "@headgate/core"
import { checkServiceRuns, checkVersion, endpointRules, notFound, withVersion } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import { makeCreateWithinLimits } from "../internal/createWithinLimits.ts"
import { orServerError } from "../internal/outage.ts"
import { writeTransaction } from "../internal/transaction.ts"
import { encodeEndpoint, makeInsertEndpoint, makeSelectEndpoints } from "./EndpointRow.ts"
import { makeLockService, makeRequireService } from "./ServiceRow.ts"

const layer: Layer.Layer<ReversePrivateEndpoints, never, SqlClient.SqlClient | SecureRandom.SecureRandom> =
  Layer.effect(
    ReversePrivateEndpoints,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const select = makeSelectEndpoints(sql)
      const insert = makeInsertEndpoint(sql)
      const requireService = makeRequireService(sql)
      const lockService = makeLockService(sql)
      const createWithinLimits = makeCreateWithinLimits(sql)

      const ofService = ({ organizationId, serviceId }: ServiceAddress) =>
        sql`WHERE service_id = ${serviceId} AND organization_id = ${organizationId}`

      const find = Effect.fnUntraced(function* (address: ReversePrivateEndpointAddress) {
        const [row] = yield* select(sql`${ofService(address)} AND id = ${address.reversePrivateEndpointId}`)
        return row ?? (yield* notFound("ReversePrivateEndpointNotFound", address))
      })

      // The lock makes writes under a service wait for each other: no two endpoints get the same DNS name.
      const lockRunning = <E>(address: ServiceAddress, missing: () => E) =>
        lockService(address).pipe(
          Effect.catchTag("ServiceNotFound", () => Effect.fail(missing())),
          Effect.flatMap(({ service }) => checkServiceRuns(service.state))
        )

      const checkNames = Effect.fnUntraced(function* (address: ServiceAddress, endpoint: ReversePrivateEndpoint) {
        const others = yield* select(ofService(address))
        yield* endpointRules.checkPrivateDnsNames(
          endpoint,
          others.map((other) => other.endpoint)
        )
      })

      const findToChange = Effect.fnUntraced(function* (address: ReversePrivateEndpointAddress) {
        yield* lockRunning(address, () => notFound("ReversePrivateEndpointNotFound", address))
        const row = yield* find(address)
        yield* checkVersion(row.version)
        return row
      })

      return ReversePrivateEndpoints.of({
        list: Effect.fn("SqlReversePrivateEndpoints.list")(function* (address) {
          const rows = yield* orServerError(select(sql`${ofService(address)} ORDER BY seq`))
          if (rows.length === 0) yield* requireService(address)
          return rows.map(({ endpoint }) => endpoint)
        }),
        get: Effect.fn("SqlReversePrivateEndpoints.get")(function* (address) {
          const { endpoint } = yield* orServerError(find(address))
          return endpoint
        }),
        create: Effect.fn("SqlReversePrivateEndpoints.create")(function* (address, request) {
          const made = Effect.provideService(
            endpointRules.make(address.serviceId, request),
            SecureRandom.SecureRandom,
            random
          )
          const missing = () => notFound("ServiceNotFound", address)
          const created = Effect.gen(function* () {
            yield* lockRunning(address, missing)
            const endpoint = yield* made
            yield* checkNames(address, endpoint)
            yield* insert(address.organizationId, endpoint)
            return withVersion(endpoint, 1)
          })
          return yield* orServerError(createWithinLimits("endpoints", address.organizationId, created, missing))
        }),
        update: Effect.fn("SqlReversePrivateEndpoints.update")(function* (address, request) {
          const updated = Effect.gen(function* () {
            const { endpoint, version } = yield* findToChange(address)
            const changed = yield* endpointRules.change(endpoint, request)
            if (changed === endpoint) return endpoint
            yield* checkNames(address, changed)
            yield* sql`
              UPDATE reverse_private_endpoint SET document = ${yield* encodeEndpoint(changed)}, version = version + 1
              WHERE id = ${endpoint.id}`
            return withVersion(changed, version + 1)
          })
          return yield* orServerError(writeTransaction(sql)(updated))
        }),
        delete: Effect.fn("SqlReversePrivateEndpoints.delete")(function* (address) {
          const deleted = Effect.gen(function* () {
            const { endpoint } = yield* findToChange(address)
            yield* sql`DELETE FROM reverse_private_endpoint WHERE id = ${endpoint.id}`
          })
          yield* orServerError(writeTransaction(sql)(deleted))
        })
      })
    })
  )

/** The `ReversePrivateEndpoints` port over SQL. */
export const SqlReversePrivateEndpoints = { layer }
