import { assert, describe, it } from "@effect/vitest"
import {
  type AlertNotFound,
  type CallError,
  type Connection,
  type ConnectionCreate,
  ConnectionId,
  type ConnectionNotFound,
  Connections,
  type DashboardSource,
  type DashboardSourceCreate,
  DashboardSources,
  type OrganizationId,
  type SavedSearchNotFound,
  type ServiceNotFound,
  SourceId,
  type SourceNotFound,
  versionOf,
  type WebhookNotFound
} from "@headgate/core"
import type { OwnedDocuments } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { fixtureConnections, fixtureSources } from "../fixtures/sources.ts"
import { asJson } from "../internal/documents.ts"
import { failsWith } from "../internal/failsWith.ts"

const { acme, globex } = fixtureIds.organizations

type Missing =
  | AlertNotFound
  | ConnectionNotFound
  | SavedSearchNotFound
  | ServiceNotFound
  | SourceNotFound
  | WebhookNotFound

/** One kind of documents: its port, its fixture and its requests. */
interface Kind<Port, Address, Request, Document extends { readonly id: string }> {
  readonly port: Effect.Effect<OwnedDocuments<Address, Request, Document, Missing>, never, Port>
  readonly title: string
  readonly fixture: {
    readonly acme: ReadonlyArray<{ readonly id: string }>
    readonly globex: ReadonlyArray<{ readonly id: string }>
  }
  readonly addressOf: (id: string) => Address
  readonly notFound: Missing["_tag"]
  /** A document as JSON on the wire. Absent: as it is. */
  readonly encode?: (document: Document) => unknown
  /** A request with every field, and the fields that its document has beside `id`. */
  readonly full: readonly [request: Request, document: object]
  /** A request with nothing but what is required, and its document. */
  readonly minimal: readonly [request: Request, document: object]
  /** Fields of `full` that stay when `minimal` replaces its document. */
  readonly kept?: ReadonlyArray<string>
  /** Requests with a wrong field, and its path. */
  readonly wrong: ReadonlyArray<readonly [path: string, request: Request]>
  /** Requests that do not go with what the organization has, and the message. */
  readonly refused?: ReadonlyArray<readonly [message: string, request: Request]>
  /** Whether the service sets the times of its documents: they are compared apart. */
  readonly hasTimes?: boolean
}

const isText = Schema.is(Schema.String)

const timesIn = (document: object): ReadonlyArray<string | undefined> =>
  ["createdAt", "updatedAt"].map((field) => {
    const time: unknown = Reflect.get(document, field)
    return isText(time) ? time : undefined
  })

/** The laws of the port to one kind of documents. */
export const documentLaws = <Port, Address, Request, Document extends { readonly id: string }>(
  {
    addressOf,
    encode = (document) => document,
    fixture,
    full,
    hasTimes = false,
    kept = [],
    minimal,
    notFound,
    port,
    refused = [],
    title,
    wrong
  }: Kind<Port, Address, Request, Document>,
  { layer, name }: LawsOptions<Port>
): void => {
  const jsonOf = (document: Document): unknown => {
    const json: unknown = asJson(encode(document))
    return hasTimes && Predicate.isObject(json) ? Struct.omit({ ...json }, ["createdAt", "updatedAt"]) : json
  }
  const jsonOfAll = (documents: ReadonlyArray<Document>): unknown => documents.map(jsonOf)

  // On the real clock, because the adapter may call another process.
  const law = (
    title: string,
    body: (
      documents: OwnedDocuments<Address, Request, Document, Missing>
    ) => Effect.Effect<unknown, Missing | CallError>,
    organizationId: OrganizationId = acme
  ) =>
    it.live(title, () =>
      Effect.flatMap(fixtureSnapshot, (snapshot) =>
        Effect.asVoid(Effect.provide(Effect.flatMap(port, body), layer(snapshot, organizationId)))
      )
    )

  describe(`${name}: laws of ${title}`, () => {
    law("list returns every field of what was imported, oldest first", (documents) =>
      Effect.map(documents.list(), (all) => assert.deepStrictEqual(jsonOfAll(all), fixture.acme))
    )

    law(
      "list of another organization returns its documents only",
      (documents) => Effect.map(documents.list(), (all) => assert.deepStrictEqual(jsonOfAll(all), fixture.globex)),
      globex
    )

    for (const [what, [request, document]] of [
      ["every field", full],
      ["the required fields", minimal]
    ] as const) {
      law(`create returns ${what}, with an id of 24 hex digits, and no credentials`, (documents) =>
        Effect.gen(function* () {
          const created = yield* documents.create(request)
          assert.match(created.id, /^[0-9a-f]{24}$/)
          assert.deepStrictEqual(jsonOf(created), { ...document, id: created.id })
          assert.deepStrictEqual(jsonOf(yield* documents.get(addressOf(created.id))), jsonOf(created))
          assert.deepStrictEqual(jsonOfAll(yield* documents.list()), [...fixture.acme, jsonOf(created)])
        })
      )
    }

    law("an imported and a created document have the version 1", (documents) =>
      Effect.gen(function* () {
        const created = yield* documents.create(full[0])
        for (const id of [fixture.acme[0]?.id ?? "", created.id]) {
          assert.strictEqual(versionOf(yield* documents.get(addressOf(id))), 1)
        }
      })
    )

    law("two documents have two ids", (documents) =>
      Effect.gen(function* () {
        assert.notStrictEqual((yield* documents.create(full[0])).id, (yield* documents.create(minimal[0])).id)
      })
    )

    law(
      "update replaces every field, keeps the id and the place in the list, and returns no credentials",
      (documents) =>
        Effect.gen(function* () {
          const [first, ...others] = fixture.acme
          assert.isDefined(first)
          const [, all] = full
          const stayed = Object.fromEntries(Object.entries(all).filter(([name]) => kept.includes(name)))
          const [request, document] = minimal
          for (const [sent, answered] of [full, [request, { ...document, ...stayed }]] as const) {
            const updated = yield* documents.update(addressOf(first.id), sent)
            assert.deepStrictEqual(jsonOf(updated), { ...answered, id: first.id })
            assert.deepStrictEqual(jsonOfAll(yield* documents.list()), [jsonOf(updated), ...others])
          }
        })
    )

    law("a deleted document is gone, and no other", (documents) =>
      Effect.gen(function* () {
        const created = yield* documents.create(full[0])
        yield* documents.delete(addressOf(created.id))
        yield* failsWith(documents.get(addressOf(created.id)), notFound)
        yield* failsWith(documents.delete(addressOf(created.id)), notFound)
        assert.deepStrictEqual(jsonOfAll(yield* documents.list()), fixture.acme)
      })
    )

    const theirs = fixture.globex[0]?.id ?? ""
    for (const id of [theirs, "none", "a/b", "a?b#c%20d", "größe 🚰", "a\0b", "x".repeat(1000)]) {
      law(
        `get, update and delete of the id ${JSON.stringify(id).slice(0, 40)} are ${notFound}, and change nothing`,
        (documents) =>
          Effect.gen(function* () {
            const unknown = addressOf(id)
            yield* failsWith(documents.get(unknown), notFound)
            yield* failsWith(documents.update(unknown, full[0]), notFound)
            yield* failsWith(documents.delete(unknown), notFound)
            assert.deepStrictEqual(jsonOfAll(yield* documents.list()), fixture.acme)
          })
      )
    }

    if (hasTimes) {
      law("a document says when it was created and last replaced", (documents) =>
        Effect.gen(function* () {
          const created = timesIn(yield* documents.create(full[0]))
          const [createdAt = "", updatedAt] = created
          assert.strictEqual(createdAt, updatedAt)
          assert.strictEqual(new Date(createdAt).toISOString(), createdAt)
          const { id } = (yield* documents.list()).at(-1) ?? { id: "" }
          const replaced = timesIn(yield* documents.update(addressOf(id), full[0]))
          assert.strictEqual(replaced[0], createdAt)
          assert.isAtLeast(Date.parse(replaced[1] ?? ""), Date.parse(createdAt))
        })
      )
    }

    for (const [index, [message, request]] of refused.entries()) {
      law(`a request that does not go with what there is (${index}) is an InvalidRequest: ${message}`, (documents) =>
        Effect.gen(function* () {
          const [first] = fixture.acme
          for (const call of [documents.create(request), documents.update(addressOf(first?.id ?? ""), request)]) {
            assert.include((yield* failsWith(call, "InvalidRequest")).message, message)
          }
          assert.deepStrictEqual(jsonOfAll(yield* documents.list()), fixture.acme)
        })
      )
    }

    for (const [index, [path, request]] of wrong.entries()) {
      law(`a bad ${path} (${index}) is an InvalidRequest that names it, and nothing is stored`, (documents) =>
        Effect.gen(function* () {
          const [first] = fixture.acme
          for (const call of [documents.create(request), documents.update(addressOf(first?.id ?? ""), request)]) {
            const { message } = yield* failsWith(call, "InvalidRequest")
            assert.include(message, `${path}: `)
          }
          assert.deepStrictEqual(jsonOfAll(yield* documents.list()), fixture.acme)
        })
      )
    }
  })
}

const connection = {
  name: "new",
  host: "https://new.example.com:8443",
  username: "größe 🚰",
  hyperdxSettingPrefix: "team_",
  prometheusEndpoint: "https://new.example.com:9363",
  futureRegion: { names: ["eu"] }
}

/** The laws of the `Connections` port. They need only the port, so they also run over an adapter for a network. */
export const connectionsLaws = (options: LawsOptions<Connections>): void => {
  const minimal = { name: "small", host: "localhost:8123" }
  documentLaws<Connections, { readonly connectionId: ConnectionId }, ConnectionCreate, Connection>(
    {
      port: Connections.useSync((connections) => connections),
      title: "Connections",
      fixture: fixtureConnections,
      addressOf: (id) => ({ connectionId: ConnectionId.make(id) }),
      notFound: "ConnectionNotFound",
      full: [{ ...connection, password: Redacted.make("p\0ssword 🚰") }, connection],
      minimal: [{ ...minimal, username: null, password: null, prometheusEndpoint: null }, minimal],
      kept: ["hyperdxSettingPrefix"],
      wrong: [
        ["name", { ...minimal, name: "" }],
        ["name", { ...minimal, name: "x".repeat(256) }],
        ["host", { ...minimal, host: "" }],
        ["host", { ...minimal, host: "https://user:secret@db.example.com" }],
        ["password", { ...minimal, password: Redacted.make("x".repeat(4097)) }]
      ]
    },
    options
  )
}

const source = {
  name: "Metrics",
  kind: "metric",
  connection: ConnectionId.make("c0000000000000000000000a"),
  from: { databaseName: "default", tableName: "" },
  metricTables: { gauge: "otel_metrics_gauge", sum: null },
  futureLevel: [0.5, { a: true }]
} as const

/** The laws of the `DashboardSources` port, as `connectionsLaws`. */
export const dashboardSourcesLaws = (options: LawsOptions<DashboardSources>): void => {
  const minimal = { name: "small", kind: "session", connection: source.connection } as const
  documentLaws<DashboardSources, { readonly sourceId: SourceId }, DashboardSourceCreate, DashboardSource>(
    {
      port: DashboardSources.useSync((sources) => sources),
      title: "DashboardSources",
      fixture: fixtureSources,
      addressOf: (id) => ({ sourceId: SourceId.make(id) }),
      notFound: "SourceNotFound",
      full: [source, source],
      minimal: [{ ...minimal, from: null, timestampValueExpression: null }, minimal],
      wrong: [
        ["name", { ...minimal, name: "" }],
        ["from.tableName", { ...minimal, from: { tableName: JSON.parse("7") } }]
      ],
      refused: [fixtureConnections.globex[0].id, "none", "a\0b"].map((id) => [
        "connection must be an existing connection id",
        { ...minimal, connection: ConnectionId.make(id) }
      ])
    },
    options
  )
}
