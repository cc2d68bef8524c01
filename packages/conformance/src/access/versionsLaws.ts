import { assert, describe, it } from "@effect/vitest"
import {
  Alerts,
  ApiKeys,
  BelowService,
  ConnectionId,
  Connections,
  DashboardRoles,
  Dashboards,
  DashboardSources,
  IfMatch,
  Pipes,
  type PortError,
  ReversePrivateEndpoints,
  Roles,
  SavedSearches,
  versionOf,
  Webhooks
} from "@headgate/core"
import type { DocumentKindName, NotFound, OwnedDocuments } from "@headgate/core/adapter"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Str from "effect/String"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { documentAddress, documentRequest } from "../internal/documentRequest.ts"
import { failsWith } from "../internal/failsWith.ts"

const { organizations, pipes, services } = fixtureIds
const organizationId = organizations.acme
const service = { organizationId, serviceId: services.ingest }

type NounOf<Tag> = Tag extends `${infer Noun}NotFound` ? Uncapitalize<Noun> : never

/** The nouns whose resources have versions. A new noun does not compile until it is excluded here or has a row below. */
export type VersionedNoun = Exclude<NounOf<NotFound["_tag"]>, "organization" | "service" | "chart" | "token">

/** What a law sees of a resource: its version, and the text that `update` sets. */
interface Seen {
  readonly version: number | undefined
  readonly label: unknown
}

/** One resource. Its label is a domain name. */
interface Versioned {
  readonly get: Effect.Effect<Seen, PortError>
  readonly update: (label: string) => Effect.Effect<Seen, PortError>
  readonly delete: Effect.Effect<void, PortError>
}

interface Calls<A> {
  readonly get: Effect.Effect<A, PortError>
  readonly update: (label: string) => Effect.Effect<A, PortError>
  readonly delete: Effect.Effect<void, PortError>
}

const labelled = <A extends object>(calls: Calls<A>, labelOf: (resource: A) => unknown): Versioned => {
  const see = (resource: A): Seen => ({ version: versionOf(resource), label: labelOf(resource) })
  return {
    get: Effect.map(calls.get, see),
    update: (label) => Effect.map(calls.update(label), see),
    delete: calls.delete
  }
}

const named = <A extends { readonly name?: unknown }>(calls: Calls<A>): Versioned => labelled(calls, ({ name }) => name)

const host = "https://db.example.com:8443"
const source = { kind: "log", connection: ConnectionId.make("c0000000000000000000000a") } as const

const document = <
  Id extends string,
  Document extends { readonly id: Id; readonly name?: unknown },
  Missing extends PortError
>(
  kind: DocumentKindName,
  port: OwnedDocuments<any, any, Document, Missing>
) =>
  Effect.map(port.create(documentRequest(kind, "first")), ({ id }) => {
    const address = documentAddress(kind, id)
    return named({
      get: port.get(address),
      update: (name) => port.update(address, documentRequest(kind, name)),
      delete: port.delete(address)
    })
  })

/** For each noun, one resource that nobody has changed since it was created or imported. */
const resources = {
  pipe: Effect.map(Pipes, (port) => {
    const address = { ...service, pipeId: pipes.kafka }
    return named({
      get: port.get(address),
      update: (name) => port.update(address, { name }),
      delete: port.delete(address)
    })
  }),
  key: Effect.gen(function* () {
    const port = yield* ApiKeys
    const { key } = yield* port.create({ organizationId }, { name: "first" })
    const address = { organizationId, keyId: key.id }
    return named({
      get: port.get(address),
      update: (name) => port.update(address, { name }),
      delete: port.delete(address)
    })
  }),
  role: Effect.gen(function* () {
    const port = yield* Roles
    const role = yield* port.create({ organizationId }, { name: "first", actors: [], policies: [] })
    const address = { organizationId, roleId: role.id }
    return named({
      get: port.get(address),
      update: (name) => port.update(address, { name }),
      delete: port.delete(address)
    })
  }),
  reversePrivateEndpoint: Effect.gen(function* () {
    const port = yield* ReversePrivateEndpoints
    const { id } = yield* port.create(service, {
      description: "first",
      type: "VPC_ENDPOINT_SERVICE",
      vpcEndpointServiceName: "com.amazonaws.vpce.svc-1"
    })
    const address = { ...service, reversePrivateEndpointId: id }
    return labelled(
      {
        get: port.get(address),
        update: (privateDnsName) => port.update(address, { customPrivateDnsMappings: [{ privateDnsName }] }),
        delete: port.delete(address)
      },
      ({ privateDnsNames }) => privateDnsNames?.[0]
    )
  }),
  dashboard: Effect.gen(function* () {
    const port = yield* Dashboards
    const { id } = yield* port.create({ name: "first" })
    return named({
      get: port.get({ dashboardId: id }),
      update: (name) => port.update({ dashboardId: id }, { name }),
      delete: port.delete({ dashboardId: id })
    })
  }),
  connection: Effect.gen(function* () {
    const port = yield* Connections
    const { id } = yield* port.create({ name: "first", host })
    return named({
      get: port.get({ connectionId: id }),
      update: (name) => port.update({ connectionId: id }, { name, host }),
      delete: port.delete({ connectionId: id })
    })
  }),
  source: Effect.gen(function* () {
    const port = yield* DashboardSources
    const { id } = yield* port.create({ name: "first", ...source })
    return named({
      get: port.get({ sourceId: id }),
      update: (name) => port.update({ sourceId: id }, { name, ...source }),
      delete: port.delete({ sourceId: id })
    })
  }),
  savedSearch: SavedSearches.use((port) => document("savedSearches", port)),
  webhook: Webhooks.use((port) => document("webhooks", port)),
  dashboardRole: BelowService(DashboardRoles).use(({ of }) => {
    const port = of(service)
    return Effect.map(port.create({ name: "first", permissions: [] }), ({ id }) =>
      named({
        get: port.get({ dashboardRoleId: id }),
        update: (name) => port.update({ dashboardRoleId: id }, { name, permissions: [] }),
        delete: port.delete({ dashboardRoleId: id })
      })
    )
  }),
  alert: Alerts.use((port) => document("alerts", port))
} satisfies { readonly [Noun in VersionedNoun]: Effect.Effect<Versioned, PortError, any> }

const notFound = <Noun extends VersionedNoun>(noun: Noun) => `${Str.capitalize(noun)}NotFound` as const

/** The ports of some nouns. */
type PortsOf<Noun extends VersionedNoun> = Effect.Services<(typeof resources)[Noun]>

const labels = Arr.makeBy(10, (n) => `n${n}.example.com`)

/** How each of many concurrent calls ends: `done`, or the tag of its error. */
const outcomesOf = (calls: ReadonlyArray<Effect.Effect<unknown, PortError>>) =>
  Effect.forEach(calls, Effect.match({ onFailure: ({ _tag }) => _tag, onSuccess: () => "done" }), {
    concurrency: "unbounded"
  })

const countDone = (outcomes: ReadonlyArray<string>) => outcomes.filter((outcome) => outcome === "done").length

/**
 * The laws of versions and of `IfMatch`, for the resources of some nouns: a change that requires the version of the resource
 * takes effect and gives it another version, any other one is `PreconditionFailed` and changes nothing. They need only the
 * ports of these nouns, so they also run over an adapter for a network.
 */
export const versionsLaws = <const Noun extends VersionedNoun>(
  nouns: ReadonlyArray<Noun>,
  { layer, name }: LawsOptions<PortsOf<Noun>>
): void => {
  describe.each(nouns)(`${name}: laws of the version of a %s`, (noun) => {
    // The compiler does not see that a row of these nouns needs no other ports than theirs.
    const make = resources[noun] as Effect.Effect<Versioned, PortError, PortsOf<Noun>>

    // On the real clock, because the adapter may call another process.
    const law = (title: string, body: (resource: Versioned) => Effect.Effect<void, PortError>) =>
      it.live(title, () =>
        Effect.flatMap(fixtureSnapshot, (snapshot) =>
          Effect.provide(Effect.flatMap(make, body), layer(snapshot, organizationId))
        )
      )

    law("a read returns a version, the same until a change, and an update another one", (resource) =>
      Effect.gen(function* () {
        const before = yield* resource.get
        assert.isDefined(before.version)
        assert.deepStrictEqual(yield* resource.get, before)
        const updated = yield* resource.update("a.example.com")
        assert.strictEqual(updated.label, "a.example.com")
        assert.notStrictEqual(updated.version, before.version)
        assert.deepStrictEqual(yield* resource.get, updated)
      })
    )

    law("an update and a delete that require the version take effect, and what is deleted has none", (resource) =>
      Effect.gen(function* () {
        const { version } = yield* resource.get
        const updated = yield* Effect.provideService(resource.update("a.example.com"), IfMatch, version)
        assert.deepStrictEqual(yield* resource.get, updated)
        const remove = Effect.provideService(resource.delete, IfMatch, updated.version)
        yield* remove
        yield* failsWith(resource.get, notFound(noun))
        yield* failsWith(remove, notFound(noun))
      })
    )

    law("an update and a delete that require another version are PreconditionFailed and change nothing", (resource) =>
      Effect.gen(function* () {
        const { version = 0 } = yield* resource.get
        const current = yield* resource.update("a.example.com")
        for (const other of [version, 999]) {
          for (const change of [Effect.asVoid(resource.update("b.example.com")), resource.delete]) {
            yield* failsWith(Effect.provideService(change, IfMatch, other), "PreconditionFailed")
          }
        }
        assert.deepStrictEqual(yield* resource.get, current)
      })
    )

    law("of many concurrent updates that require one version, one takes effect", (resource) =>
      Effect.gen(function* () {
        const { version } = yield* resource.get
        const outcomes = yield* outcomesOf(
          labels.map((label) => Effect.provideService(resource.update(label), IfMatch, version))
        )
        assert.sameMembers(outcomes, ["done", ...labels.slice(1).map(() => "PreconditionFailed")])
        assert.strictEqual((yield* resource.get).label, labels[outcomes.indexOf("done")])
      })
    )

    law("of many concurrent updates and deletions that require one version, one takes effect", (resource) =>
      Effect.gen(function* () {
        const { version } = yield* resource.get
        const changes = labels.flatMap((label) => [Effect.asVoid(resource.update(label)), resource.delete])
        const outcomes = yield* outcomesOf(changes.map((change) => Effect.provideService(change, IfMatch, version)))
        assert.strictEqual(countDone(outcomes), 1)
        const isDeleted = outcomes.indexOf("done") % 2 === 1
        const rest = isDeleted ? notFound(noun) : "PreconditionFailed"
        assert.deepStrictEqual(new Set(outcomes), new Set(["done", rest]))
      })
    )

    law("without a required version, every one of many concurrent updates takes effect, and a delete", (resource) =>
      Effect.gen(function* () {
        const { version = 0 } = yield* resource.get
        assert.strictEqual(countDone(yield* outcomesOf(labels.map(resource.update))), labels.length)
        assert.strictEqual((yield* resource.get).version, version + labels.length)
        yield* resource.delete
        yield* failsWith(resource.get, notFound(noun))
      })
    )
  })
}
