import { assert, describe } from "@effect/vitest"
import { type OrganizationId, Pipes, Snapshots } from "@headgate/core"
import { type PipeTable, PipeTables, StoredServices } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { create, lawOf, service } from "../internal/movedPipes.ts"

type Ports = PipeTables | Pipes | Snapshots | StoredServices

const { organizations, pipes } = fixtureIds

const clicks: PipeTable = {
  ...service,
  pipeId: pipes.unknown,
  warehouse: "events",
  database: "default",
  table: "clicks",
  knownBy: "uuid-1",
  isCreated: true,
  isVersioned: false
}
const orders: PipeTable = { ...clicks, table: "orders", knownBy: "uuid-2", isCreated: false, isVersioned: true }

const opened = (...tables: ReadonlyArray<PipeTable>) => PipeTables.use((held) => held.opened(tables))
const list = (organizationId?: OrganizationId) => PipeTables.use((held) => held.list(organizationId))
const forget = (warehouse: string, database: string, table: string) =>
  PipeTables.use((held) => held.forget(warehouse, database, table))

/** The laws of the `PipeTables` port, for adapters that have a store. */
export const pipeTablesLaws = ({ layer, name }: LawsOptions<Ports>): void => {
  const law = lawOf(layer)

  describe(`${name}: laws of PipeTables`, () => {
    law(
      "tables are listed in the order in which they were first opened, with what was kept last",
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* list(), [])
        yield* opened()
        yield* opened(orders, clicks)
        const again = { ...orders, knownBy: "'; -- \u{1F600}", isCreated: true, isVersioned: false }
        yield* opened({ ...clicks, database: "other" }, { ...orders, knownBy: "not the last" }, again)
        assert.deepStrictEqual(yield* list(), [again, clicks, { ...clicks, database: "other" }])
      })
    )

    law(
      "a table is kept for each pipe, warehouse, database and name, and read by its own organization",
      Effect.gen(function* () {
        const { address } = yield* create()
        const ofGlobex: PipeTable = { ...clicks, organizationId: organizations.globex, pipeId: address.pipeId }
        const tables = [clicks, { ...clicks, warehouse: "*" }, { ...clicks, table: "Clicks" }, ofGlobex]
        yield* opened(...tables)
        assert.deepStrictEqual(yield* list(), tables)
        assert.deepStrictEqual(yield* list(organizations.acme), tables.slice(0, 3))
        assert.deepStrictEqual(yield* list(organizations.globex), [ofGlobex])
        assert.deepStrictEqual(yield* list(organizations.unknown), [])
      })
    )

    law(
      "a table is forgotten for every pipe, and no other one",
      Effect.gen(function* () {
        const { address } = yield* create()
        const ofOther = { ...clicks, pipeId: address.pipeId }
        yield* opened(clicks, ofOther, orders)
        assert.isFalse(yield* forget("events", "default", "click"))
        assert.isFalse(yield* forget("events", "other", "clicks"))
        assert.isFalse(yield* forget("*", "default", "clicks"))
        assert.isTrue(yield* forget("events", "default", "clicks"))
        assert.isFalse(yield* forget("events", "default", "clicks"))
        assert.deepStrictEqual(yield* list(), [orders])
        // The pipe opens it again.
        yield* opened(ofOther)
        assert.deepStrictEqual(yield* list(), [orders, ofOther])
      })
    )

    law(
      "a table outlives its pipe and its service, and goes with its organization; a snapshot has it not",
      Effect.gen(function* () {
        const { address } = yield* create()
        const own = { ...clicks, pipeId: address.pipeId }
        const ofGlobex = { ...orders, organizationId: organizations.globex }
        yield* opened(own, ofGlobex)
        yield* Pipes.use((all) => all.delete(address))
        assert.deepStrictEqual(yield* list(), [own, ofGlobex])
        const exported = yield* Effect.flatMap(Snapshots, (snapshots) => snapshots.export)
        assert.notInclude(JSON.stringify(exported), clicks.knownBy)
        yield* StoredServices.use((stored) => stored.remove(service))
        assert.deepStrictEqual(yield* list(), [own, ofGlobex])
        yield* StoredServices.use((stored) => stored.removeOrganization(organizations.acme))
        assert.deepStrictEqual(yield* list(), [ofGlobex])
        yield* opened(own)
        assert.deepStrictEqual(yield* list(), [ofGlobex])
        yield* Snapshots.use((snapshots) => snapshots.import(exported))
        assert.deepStrictEqual(yield* list(), [ofGlobex])
        yield* Snapshots.use((snapshots) => snapshots.replace(exported))
        assert.deepStrictEqual(yield* list(), [])
      })
    )

    law(
      "as many tables as a pipe has are kept at once, and again",
      Effect.gen(function* () {
        const many = Array.from({ length: 1200 }, (_, i) => ({ ...clicks, table: `t${i}` }))
        yield* opened(...many)
        const again = many.map((one) => ({ ...one, knownBy: "again" }))
        yield* Effect.all([opened(...again), opened(...again)], { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* list(organizations.acme), again)
      })
    )
  })
}
