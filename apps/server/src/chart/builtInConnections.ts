import { Conflict, type Connection, ConnectionId, type OrganizationId, ServerError, Services } from "@headgate/core"
import { BuiltInConnections, OrganizationConnections, withVersion } from "@headgate/core/adapter"
import { anyService } from "@headgate/mover-runtime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { createHash } from "node:crypto"

/** A connection to a warehouse of this server. */
export interface BuiltInConnection {
  /** The name of the warehouse: the id of a service, or `*`. */
  readonly warehouse: string
  readonly connection: Connection
}

/** The connection to a warehouse. It has no host: what is sent there is the server's business. */
export const connectionTo = (warehouse: string): BuiltInConnection => ({
  warehouse,
  connection: withVersion(
    {
      id: ConnectionId.make(createHash("sha256").update(`warehouse ${warehouse}`).digest("hex").slice(0, 24)),
      name: "warehouse"
    },
    1
  )
})

/**
 * The connections to these warehouses that an organization has: those of its services, and that of every service that has none of its
 * own.
 */
export const makeBuiltInConnections = (services: Services["Service"], warehouses: Iterable<string>) => {
  const all = Array.from(warehouses, connectionTo)
  const isOfService = all.some(({ warehouse }) => warehouse !== anyService)
  const of = Effect.fnUntraced(function* (
    organizationId: OrganizationId
  ): Effect.fn.Return<ReadonlyArray<BuiltInConnection>, ServerError> {
    if (!isOfService) return all
    const own = yield* services.list({ organizationId }).pipe(
      Effect.catchTag("OrganizationNotFound", () => Effect.succeed([])),
      Effect.mapError(({ message }) => new ServerError({ message }))
    )
    const ids = new Set<string>(own.map(({ id }) => id))
    return all.filter(({ warehouse }) => warehouse === anyService || ids.has(warehouse))
  })
  return {
    of,
    /** One of an organization by its id. Nothing is read for another id. */
    find: (organizationId: OrganizationId, id: ConnectionId) =>
      all.some(({ connection }) => connection.id === id)
        ? Effect.map(of(organizationId), (own) => own.find(({ connection }) => connection.id === id))
        : Effect.succeed(undefined)
  }
}

/** The connections to the warehouses of a server. */
export type BuiltIn = ReturnType<typeof makeBuiltInConnections>

const isKept = () =>
  Effect.fail(
    new Conflict({
      message:
        "the connection to the warehouse of this server is built in: it is neither changed nor deleted. Create another connection"
    })
  )

/** The connections of organizations with the built-in ones, which come first. */
export const withBuiltIn = ({ find: findBuiltIn, of }: BuiltIn) => {
  const decorate = (
    organizationId: OrganizationId,
    stored: ReturnType<OrganizationConnections["Service"]["of"]>
  ): ReturnType<OrganizationConnections["Service"]["of"]> => {
    const connections = Effect.map(of(organizationId), (all) => all.map(({ connection }) => connection))
    const find = (connectionId: ConnectionId) => findBuiltIn(organizationId, connectionId)
    return {
      create: stored.create,
      list: () => Effect.zipWith(connections, stored.list(), (builtIn, own) => [...builtIn, ...own]),
      get: (address) =>
        Effect.flatMap(find(address.connectionId), (found) =>
          found === undefined ? stored.get(address) : Effect.succeed(found.connection)
        ),
      update: (address, request) =>
        Effect.flatMap(find(address.connectionId), (found) =>
          found === undefined ? stored.update(address, request) : isKept()
        ),
      delete: (address) =>
        Effect.flatMap(find(address.connectionId), (found) => (found === undefined ? stored.delete(address) : isKept()))
    }
  }
  return Layer.mergeAll(
    Layer.effect(
      OrganizationConnections,
      Effect.map(OrganizationConnections, (stored) => ({
        of: (organizationId) => decorate(organizationId, stored.of(organizationId))
      }))
    ),
    Layer.succeed(BuiltInConnections, (organizationId) =>
      Effect.map(of(organizationId), (all) => all.map(({ connection }) => connection))
    )
  )
}
