import { type Connection, ConnectionId, Connections } from "@headgate/core"
import { HttpConnections } from "@headgate/http-adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Digest, sha256 } from "effect/crypto/Digest"
import { serviceAddress } from "../address/nouns.ts"
import { NameNotFound } from "../error/CommandError.ts"
import { observability } from "../settings/withPorts.ts"
import { isThroughService } from "./dashboardPorts.ts"

/** The name of the built-in connections to the warehouses of a server. */
const warehouse = "warehouse"

/** The id of the connection to a warehouse, which is that of one service or, as `*`, of all others. */
const idOf = Effect.fnUntraced(function* (name: string) {
  const digest = yield* Digest
  const hex = yield* digest.digestHex(sha256, new TextEncoder().encode(`${warehouse} ${name}`))
  return ConnectionId.make(hex.slice(0, 24))
})

const listed = Effect.provide(
  Connections.use((connections) => connections.list()),
  Layer.provide(HttpConnections.layer, observability)
)

/**
 * The ids of the connections to the warehouses of the server, that of the service first. A key alone lists none: it has those that a
 * server can have. Fails if there is none.
 */
export const warehouseConnections = Effect.gen(function* () {
  const { serviceId } = yield* serviceAddress
  const ids = yield* Effect.forEach([serviceId, "*"], idOf)
  if (yield* isThroughService) return ids
  const found = (yield* listed).filter(({ name }) => name === warehouse)
  const place = ({ id }: Connection): number => (ids.includes(id) ? ids.indexOf(id) : ids.length)
  if (found.length === 0) {
    return yield* new NameNotFound({
      message: `--from-pipe: there is no connection "${warehouse}". Its server has it when it has a warehouse and queries charts: see docs/dashboards.md.`
    })
  }
  return found.toSorted((one, other) => place(one) - place(other)).map(({ id }) => id)
})
