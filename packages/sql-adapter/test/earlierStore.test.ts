import { assert, it } from "@effect/vitest"
import { OrganizationId, Pipes, Snapshot, Snapshots } from "@headgate/core"
import {
  kinds,
  OrganizationConnections,
  OrganizationDashboards,
  OrganizationDocuments,
  OrganizationLimits,
  organizationUsage,
  Tokens
} from "@headgate/core/adapter"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as SqlClient from "effect/sql/SqlClient"
import { kindTables } from "../src/internal/tables.ts"
import { SqlAdapter } from "../src/index.ts"
import { sealingKey } from "./support/postgres.ts"

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8")

/** A store with one row of each kind of its time, as the version with 26 migrations wrote it. */
const dump = fixture("store-0026.sql")
/** The export with secrets that the same version made of it. */
const exported: typeof Snapshot.Encoded = JSON.parse(fixture("store-0026.json"))

const restored = Effect.acquireRelease(
  Effect.sync(() => {
    const directory = mkdtempSync(join(tmpdir(), "headgate-earlier-"))
    const filename = join(directory, "store.sqlite")
    const database = new DatabaseSync(filename)
    database.exec(dump)
    database.close()
    return { directory, filename }
  }),
  ({ directory }) => Effect.sync(() => rmSync(directory, { recursive: true }))
)

const kindsThen = Struct.keys(kinds).filter((kind) => dump.includes(`CREATE TABLE ${kindTables[kind].table} `))

const inEarlierStore = <A, E>(effect: Effect.Effect<A, E, Layer.Success<ReturnType<typeof SqlAdapter.layerSqlite>>>) =>
  Effect.gen(function* () {
    const { filename } = yield* restored
    return yield* Effect.provide(effect, Layer.fresh(SqlAdapter.layerSqlite({ filename, sealingKey })))
  }).pipe(Effect.scoped)

it.live("the store of an earlier version has a row of each kind of its time", () =>
  inEarlierStore(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      assert.isAtLeast(kindsThen.length, 13)
      for (const kind of kindsThen) {
        const rows = yield* sql`SELECT id FROM ${sql(kindTables[kind].table)}`
        assert.strictEqual(rows.length, 1, kind)
      }
    })
  )
)

it.live("the token of an earlier version has no grants until it is granted one", () =>
  inEarlierStore(
    Effect.gen(function* () {
      const grants = Effect.gen(function* () {
        const { organizations } = Schema.encodeSync(Snapshot)(yield* Snapshots.use((snapshots) => snapshots.export))
        return organizations.flatMap(({ tokens = [] }) => tokens.map((token) => token.grants))
      })
      assert.deepStrictEqual(yield* grants, [undefined])
      const organizationId = OrganizationId.make(exported.organizations[0]?.id ?? "")
      const tokens = yield* Tokens
      for (const { id } of yield* tokens.list(organizationId)) yield* tokens.grant(organizationId, id, "chart:query")
      assert.deepStrictEqual(yield* grants, [["chart:query"]])
    })
  )
)

it.live("the store of an earlier version is read whole, its secrets too", () =>
  inEarlierStore(
    Effect.gen(function* () {
      const snapshots = yield* Snapshots
      const now = Schema.encodeSync(Snapshot)(yield* snapshots.exportWithSecrets)
      assert.deepStrictEqual(now.secrets, exported.secrets)
      // Kinds that are younger than the store are beside them.
      const known = now.organizations.map((organization, index) =>
        Struct.pick(organization, Struct.keys(exported.organizations[index] ?? organization))
      )
      assert.deepStrictEqual(known, exported.organizations)
      const [acme] = exported.organizations
      const organizationId = OrganizationId.make(acme?.id ?? "")
      const [webhook] = yield* OrganizationDocuments.use(({ of }) => of(organizationId).webhooks.list())
      assert.strictEqual(webhook?.url && Redacted.value(webhook.url), "https://hooks.example.com/T0/marked-secret")
      const [connection] = yield* OrganizationConnections.use(({ of }) => of(organizationId).list())
      assert.strictEqual(connection?.id, acme?.connections?.[0]?.id)
      const [service] = (yield* snapshots.export).organizations[0]?.services ?? []
      const pipes =
        service === undefined ? [] : yield* Pipes.use((port) => port.list({ organizationId, serviceId: service.id }))
      assert.deepStrictEqual(
        pipes.map(({ id }) => id),
        acme?.services?.[0]?.pipes?.map(({ id }) => id)
      )
    })
  )
)

it.live("the limits of an organization of an earlier version count what it holds", () =>
  inEarlierStore(
    Effect.gen(function* () {
      const dashboards = yield* OrganizationDashboards
      const port = dashboards.of(OrganizationId.make(exported.organizations[0]?.id ?? ""))
      const most = (count: number) =>
        Effect.provideService(OrganizationLimits, { ...organizationUsage(Infinity), dashboards: count })
      const refused = yield* Effect.flip(most(1)(port.create({ name: "second" })))
      assert.strictEqual(refused._tag, "Conflict")
      yield* most(2)(port.create({ name: "second" }))
    })
  )
)
