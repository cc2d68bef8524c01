import { assert, describe, it } from "@effect/vitest"
import {
  type Alert,
  type AlertCreate,
  AlertId,
  type AlertNotFound,
  Alerts,
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
  type SavedSearch,
  type SavedSearchCreate,
  SavedSearchId,
  type SavedSearchNotFound,
  SavedSearches,
  type ServiceNotFound,
  SourceId,
  type SourceNotFound,
  versionOf,
  Webhook,
  type WebhookCreate,
  WebhookId,
  type WebhookNotFound,
  Webhooks
} from "@headgate/core"
import type { OwnedDocuments } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { fixtureDocuments } from "../fixtures/documents.ts"
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
}

const documentLaws = <Port, Address, Request, Document extends { readonly id: string }>(
  {
    addressOf,
    encode = (document) => document,
    fixture,
    full,
    kept = [],
    minimal,
    notFound,
    port,
    title,
    wrong
  }: Kind<Port, Address, Request, Document>,
  { layer, name }: LawsOptions<Port>
): void => {
  const jsonOf = (document: Document) => asJson(encode(document))
  const jsonOfAll = (documents: ReadonlyArray<Document>) => asJson(documents.map(encode))

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
      law(`create returns ${what} as sent, with an id of 24 hex digits, and no credentials`, (documents) =>
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

    law("two documents of one request have two ids", (documents) =>
      Effect.gen(function* () {
        assert.notStrictEqual((yield* documents.create(full[0])).id, (yield* documents.create(full[0])).id)
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
      ]
    },
    options
  )
}

const savedSearch = {
  name: "new",
  sourceId: "50000000000000000000000a",
  where: "größe:🚰",
  filters: [{ type: "sql", condition: "a = 1" }],
  futureLevel: [0.5, { a: true }]
}

/** The laws of the `SavedSearches` port, as `connectionsLaws`. */
export const savedSearchesLaws = (options: LawsOptions<SavedSearches>): void =>
  documentLaws<SavedSearches, { readonly savedSearchId: SavedSearchId }, SavedSearchCreate, SavedSearch>(
    {
      port: SavedSearches.useSync((searches) => searches),
      title: "SavedSearches",
      fixture: fixtureDocuments.savedSearches,
      addressOf: (id) => ({ savedSearchId: SavedSearchId.make(id) }),
      notFound: "SavedSearchNotFound",
      full: [savedSearch, savedSearch],
      minimal: [{ name: null, where: null }, {}],
      wrong: [
        ["name", { name: "" }],
        ["name", { name: "x".repeat(256) }]
      ]
    },
    options
  )

const webhook = { name: "new", service: "generic", description: "größe 🚰", body: "{{title}}", futureLevel: [0.5] }
const url = "https://hooks.example.com/T0/p\0ssword 🚰"
const long = "x".repeat(8192)

/** The laws of the `Webhooks` port, as `connectionsLaws`. */
export const webhooksLaws = (options: LawsOptions<Webhooks>): void => {
  documentLaws<Webhooks, { readonly webhookId: WebhookId }, WebhookCreate, Webhook>(
    {
      port: Webhooks.useSync((webhooks) => webhooks),
      title: "Webhooks",
      fixture: fixtureDocuments.webhooks,
      addressOf: (id) => ({ webhookId: WebhookId.make(id) }),
      notFound: "WebhookNotFound",
      encode: Schema.encodeSync(Webhook),
      full: [
        {
          ...webhook,
          url: Redacted.make(url),
          headers: Redacted.make({ authorization: "secret" }),
          queryParams: Redacted.make({ token: "secret" })
        },
        { ...webhook, url }
      ],
      minimal: [{ name: null, url: null, headers: null }, {}],
      wrong: [
        ["name", { name: "" }],
        ["url", { url: Redacted.make(long) }],
        ["headers", { headers: Redacted.make({ long }) }],
        ["queryParams", { queryParams: Redacted.make({ long }) }]
      ]
    },
    options
  )

  describe(`${options.name}: laws of the validation of webhooks`, () => {
    it.live("validate tells what create would say, answers no secret and stores nothing", () =>
      Effect.flatMap(fixtureSnapshot, (snapshot) =>
        Effect.gen(function* () {
          const webhooks = yield* Webhooks
          const before = yield* webhooks.list()
          const { errors, normalized, valid } = yield* webhooks.validate({ ...webhook, url, headers: { a: "secret" } })
          assert.deepStrictEqual([valid, errors, normalized], [true, [], webhook])
          const refused = yield* webhooks.validate({ ...webhook, name: "", url: long })
          assert.deepStrictEqual([refused.valid, refused.normalized], [false, null])
          assert.deepStrictEqual(
            refused.errors.map(({ path }) => path),
            ["name"]
          )
          assert.strictEqual((yield* webhooks.list()).length, before.length)
        }).pipe(Effect.provide(options.layer(snapshot, acme)))
      )
    )
  })
}

const alert = {
  name: "new",
  savedSearchId: "5a000000000000000000000a",
  threshold: -0.5,
  channel: { type: "webhook", webhookId: "e0000000000000000000000a" },
  note: "größe 🚰"
}

/** The laws of the `Alerts` port, as `connectionsLaws`. */
export const alertsLaws = (options: LawsOptions<Alerts>): void =>
  documentLaws<Alerts, { readonly alertId: AlertId }, AlertCreate, Alert>(
    {
      port: Alerts.useSync((alerts) => alerts),
      title: "Alerts",
      fixture: fixtureDocuments.alerts,
      addressOf: (id) => ({ alertId: AlertId.make(id) }),
      notFound: "AlertNotFound",
      full: [alert, alert],
      minimal: [{ name: null, note: null }, {}],
      wrong: [
        ["name", { name: "" }],
        ["channel.type", { channel: { type: JSON.parse("7") } }]
      ]
    },
    options
  )
