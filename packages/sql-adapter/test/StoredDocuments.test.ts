import { assert, describe, it } from "@effect/vitest"
import { fixtureIds } from "@headgate/conformance/fixtures"
import { OrganizationDashboards } from "@headgate/core/adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { SqlClient } from "effect/sql/SqlClient"
import { StoredDocuments } from "../src/index.ts"
import { openStore } from "./processes/openStore.ts"
import { importOrganizations } from "./support/importOrganizations.ts"
import { describePostgres } from "./support/postgres.ts"
import { temporaryFilename } from "./temporaryDatabase.ts"

const { acme, globex } = fixtureIds.organizations

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

const bytesOf = (page: ReadonlyArray<string>) => page.reduce((sum, document) => sum + Buffer.byteLength(document), 0)

type ReadPage = ReturnType<StoredDocuments["Service"]["dashboards"]>

/** The pages of a list, one after the other; none for an empty list. */
const pagesOf = (readPage: ReadPage) =>
  Stream.paginate(0, (after: number) =>
    Effect.map(
      readPage(after),
      ({ documents, next }) => [documents.length === 0 ? [] : [documents], Option.fromUndefinedOr(next)] as const
    )
  )

/** What the pages of dashboards promise over one kind of database. */
const promises = <E>(newStore: Effect.Effect<string, E, Scope.Scope>) => {
  /** A store, and another connection to it. */
  const open = Effect.gen(function* () {
    const store = yield* newStore
    const opened = yield* Layer.build(Layer.fresh(openStore(store, { maxConnections: 1 })))
    yield* Effect.provide(importOrganizations(acme, globex), opened)
    const other = Context.get(yield* Layer.build(Layer.fresh(openStore(store))), SqlClient)
    /** Inserts documents of these sizes in bytes, each of which begins with its number. */
    const insert = (sizes: ReadonlyArray<number>, organizationId = acme) =>
      Effect.forEach(
        sizes,
        (size, n) => other`
          INSERT INTO dashboard (id, organization_id, document)
          VALUES (${`${organizationId} ${n}`}, ${organizationId}, ${`${n}`.padEnd(size)})`,
        { discard: true }
      ).pipe(other.withTransaction)
    return {
      insert,
      other,
      sql: Context.get(opened, SqlClient),
      pages: pagesOf(Context.get(opened, StoredDocuments).dashboards(acme)),
      dashboards: Context.get(opened, OrganizationDashboards).of(globex)
    }
  })

  const numbersOf = (pages: ReadonlyArray<ReadonlyArray<string>>) =>
    pages.flat().map((text) => Number.parseInt(text, 10))

  it.live("are in order of insertion, at most 256 documents each, and of one organization", () =>
    Effect.gen(function* () {
      const { insert, pages } = yield* open
      yield* insert(
        Array.from({ length: 3 }, () => 20),
        globex
      )
      yield* insert(Array.from({ length: 600 }, () => 20))
      const collected = yield* Stream.runCollect(pages)
      assert.deepStrictEqual(
        collected.map((page) => page.length),
        [256, 256, 88]
      )
      assert.deepStrictEqual(
        numbersOf(collected),
        Array.from({ length: 600 }, (_, n) => n)
      )
    })
  )

  for (const count of [0, 1, 256, 512]) {
    it.live(`are none empty for ${count} documents`, () =>
      Effect.gen(function* () {
        const { insert, pages } = yield* open
        yield* insert(Array.from({ length: count }, () => 20))
        const collected = yield* Stream.runCollect(pages)
        assert.deepStrictEqual(
          collected.map((page) => page.length),
          Array.from({ length: Math.ceil(count / 256) }, () => Math.min(count, 256))
        )
      })
    )
  }

  it.live("are at most 256 KiB each, counted in bytes; a larger document is a page of its own", () =>
    Effect.gen(function* () {
      const { insert, other, pages } = yield* open
      yield* insert([150 * kibibyte, 106 * kibibyte, 1, 3 * mebibyte, 5, 5, 2 * mebibyte])
      // 2 bytes each: 200 KiB and 100 KiB.
      for (const [id, length] of [
        ["a", 100 * kibibyte],
        ["b", 50 * kibibyte]
      ] as const) {
        yield* other`
          INSERT INTO dashboard (id, organization_id, document) VALUES (${id}, ${acme}, ${"é".repeat(length)})`
      }
      const collected = yield* Stream.runCollect(pages)
      assert.deepStrictEqual(collected.map(bytesOf), [
        256 * kibibyte,
        1,
        3 * mebibyte,
        10,
        2 * mebibyte,
        200 * kibibyte,
        100 * kibibyte
      ])
    })
  )

  it.live("hold neither a transaction nor a connection in between", () =>
    Effect.gen(function* () {
      const { dashboards, insert, pages, sql } = yield* open
      yield* insert(Array.from({ length: 600 }, () => 20))
      const lengths = yield* Stream.runCollect(
        Stream.mapEffect(
          pages,
          Effect.fnUntraced(function* (page) {
            // The pool has one connection.
            yield* sql.withTransaction(sql`SELECT 1 AS one`)
            yield* dashboards.create({ name: "while listing" })
            return page.length
          })
        )
      )
      assert.deepStrictEqual(lengths, [256, 256, 88])
    })
  )

  it.live("are read when they are asked for, and not before", () =>
    Effect.gen(function* () {
      const { insert, other, pages } = yield* open
      yield* insert(Array.from({ length: 600 }, () => 20))
      const remaining = yield* Stream.runCollect(
        Stream.mapEffect(pages, (page) =>
          Effect.as(other`DELETE FROM dashboard WHERE organization_id = ${acme}`, page.length)
        )
      )
      assert.deepStrictEqual(remaining, [256])
    })
  )

  it.live("have each dashboard once that exists all the while, though others come and go", () =>
    Effect.gen(function* () {
      const { insert, other, pages } = yield* open
      yield* insert(Array.from({ length: 900 }, () => 20))
      let round = 0
      const collected = yield* Stream.runCollect(
        Stream.mapEffect(
          pages,
          Effect.fnUntraced(function* (page) {
            round += 1
            // Those that end in 7 go, before and behind the page. New ones come, twenty times at most.
            yield* other`DELETE FROM dashboard WHERE id LIKE ${`%${round}7`}`
            if (round <= 20) {
              yield* other`
                INSERT INTO dashboard (id, organization_id, document) VALUES (${`new ${round}`}, ${acme}, ${"1000"})`
            }
            return page
          })
        )
      )
      const seen = numbersOf(collected)
      const old = seen.filter((n) => n < 1000)
      assert.strictEqual(new Set(old).size, old.length)
      assert.deepStrictEqual(
        old.filter((n) => n % 10 !== 7),
        Array.from({ length: 900 }, (_, n) => n).filter((n) => n % 10 !== 7)
      )
    })
  )
}

describe("pages of stored dashboards over SQLite", () => {
  promises(temporaryFilename)
})

describePostgres("pages of stored dashboards over Postgres", (postgres) => {
  promises(Effect.flatMap(postgres, ({ createDatabase }) => Effect.map(createDatabase, Redacted.value)))
})
