import { Pipe } from "@headgate/core"
import { makeRandom, type Random } from "@headgate/harness/Random"
import {
  authorizationOf,
  hashData,
  makeOrganization,
  type Organization,
  organizationDocument,
  plainPipe
} from "@headgate/harness/Snapshot"
import { type ContractOperation, contractOperations, naming, pathFor } from "@headgate/harness/contractOperations"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Draft, Mutations } from "./Draft.ts"
import { documentMutations } from "./documentMutations.ts"
import { bodyMutations, headerMutations, lineMutations } from "./wireMutations.ts"

export type Json = { readonly [name: string]: unknown }

/** How complex the generated values are. Most faults show in small ones. */
const sizes = [2, 4, 8, 14]

// Lengths in code points are checked after a text was generated.
const maxDiscards = 20_000

/**
 * Renames fields called `\`. After a JSON.parse of one, Node 24.21 reads other one-character names that are written as
 * escapes (`"\t"`) as `\` too: a fault of the engine, which affects this process and the server.
 */
const withoutBackslashNames = (document: unknown): Json =>
  JSON.parse(JSON.stringify(document).replaceAll(String.raw`"\\":`, String.raw`"\\\\":`))

/** Documents as they are on the wire, generated from a schema, unknown fields included. */
const sampleDocuments = (schema: Schema.Codec<any, any>, count: number, seed: number): ReadonlyArray<Json> => {
  const encode = Schema.encodeUnknownResult(schema)
  const documents = sizes.flatMap((size) => {
    const sample = Arbitrary.sampleEffect(Arbitrary.schema(schema), {
      count: Math.ceil(count / sizes.length),
      size,
      seed: `${seed} ${size}`,
      maxDiscards
    })
    // Of a schema whose checks few values pass, a size may have none.
    const values = Result.getOrElse(Effect.runSync(Effect.result(sample)), () => [])
    return values.flatMap((value) => {
      // A year that RFC 3339 cannot express does not encode.
      const encoded = encode(value)
      return Result.isSuccess(encoded) ? [withoutBackslashNames(encoded.success)] : []
    })
  })
  return Array.from({ length: count }, (_, index) => documents[index % documents.length] ?? {})
}

/** An organization that the requests of one batch, and no others, are sent to. */
export interface Target extends Organization {
  readonly pipes: ReadonlyArray<Json & { readonly id: string }>
  /** A service whose state the requests change: under the other one, writes need a service that runs. */
  readonly restingServiceId: string
  /** Its entry in the snapshot. */
  readonly document: object
}

const plainPipes = 30
const generatedPipes = 10

const resourcesOfAKind = 10

/** Resources of every other kind, with the ids of pipes: so a path with the id of a pipe names one of any kind. */
const resources = (ids: ReadonlyArray<string>) => ({
  dashboards: ids.map((id) => ({ id, name: "dashboard", tiles: [], tags: [] })),
  roles: ids.map((id) => ({
    id,
    name: "role",
    type: "custom",
    actors: [],
    policies: [],
    createdAt: "2026-01-01T00:00:00Z",
    updatedAt: "2026-01-01T00:00:00Z"
  })),
  connections: ids.map((id) => ({ id, name: "connection", host: "localhost:8123" })),
  sources: ids.map((id) => ({ id, name: "source", kind: "log", connection: id })),
  savedSearches: ids.map((id) => ({ id, name: "saved search", sourceId: id, where: "level:error" })),
  webhooks: ids.map((id) => ({ id, name: `webhook ${id}`, service: "generic", url: "https://hooks.example.com" })),
  alerts: ids.map((id) => ({ id, name: "alert", threshold: 1 })),
  dashboardRoles: ids.map((id) => ({ id, name: "role of dashboards", permissions: [], isPredefined: false }))
})

const endpoints = (pipes: Target["pipes"], serviceId: string) =>
  pipes.slice(0, resourcesOfAKind).map(({ id }) => ({
    id,
    serviceId,
    description: "endpoint",
    type: "VPC_ENDPOINT_SERVICE",
    vpcEndpointServiceName: "vpce-svc",
    endpointId: `vpce-${id}`,
    dnsNames: [],
    privateDnsNames: [],
    status: "Ready"
  }))

const keys = (pipes: Target["pipes"], random: Random) =>
  pipes.slice(0, resourcesOfAKind).map(({ id }) => ({
    id,
    name: "key",
    roles: ["developer"],
    hashData: hashData(random.uuid(), random.uuid())
  }))

export const makeTargets = (random: Random, count: number): ReadonlyArray<Target> => {
  const generated = sampleDocuments(Pipe, count * generatedPipes, random.between(1, 1e9))
  return Array.from({ length: count }, (_, index) => {
    const organization = makeOrganization(random)
    const { serviceId } = organization
    const pipes = [
      ...Array.from({ length: plainPipes }, () => plainPipe(random.uuid(), serviceId)),
      ...generated
        .slice(index * generatedPipes, (index + 1) * generatedPipes)
        .map((pipe) => ({ ...pipe, id: random.uuid(), serviceId }))
    ]
    const restingServiceId = random.uuid()
    const document = organizationDocument(organization, { pipes })
    const [service = {}] = document.services
    return {
      ...organization,
      pipes,
      restingServiceId,
      document: {
        ...document,
        ...resources(pipes.slice(0, resourcesOfAKind).map(({ id }) => id)),
        services: [
          { ...service, reversePrivateEndpoints: endpoints(pipes, serviceId) },
          { id: restingServiceId, name: "resting" }
        ],
        keys: [...document.keys, ...keys(pipes, random)]
      }
    }
  })
}

const future = "2999-12-31T23:59:59Z"

/** Valid payloads with optional fields, beside those that the schemas generate. */
const typical: Readonly<Record<string, (random: Random) => Json>> = {
  "key.create": (random) => ({
    ...random.pick([{}, { roles: ["admin"] }, { roles: ["query_endpoints", "developer"] }]),
    ...random.pick([{}, { state: "enabled" }, { state: "disabled" }]),
    ...random.pick([{}, { expireAt: null }, { expireAt: "" }, { expireAt: future }]),
    ...random.pick([{}, { expireAt: "2999-06-01T12:00:00.123456+02:00" }]),
    ...random.pick([{}, { ipAccessList: [{ source: "192.0.2.7/24", description: "office" }] }]),
    ...random.pick([{}, {}, {}, { hashData: hashData(random.uuid(), random.uuid()) }])
  }),
  "dashboard.create": (random) => ({
    tiles: Array.from({ length: random.between(0, 4) }, (_, x) => ({
      name: "tile",
      x,
      y: 0,
      w: 6,
      h: 4.5,
      asRatio: false,
      series: [{ type: "time", dataSource: "events", aggFn: "count", where: "level:error", groupBy: ["service"] }]
    })),
    tags: ["fuzz", "fuzz", "größe 🚰"]
  })
}

/** Half of the payloads name documents that are there. */
const namingOne = (payload: Json | undefined, id: string, random: Random): Json | undefined => {
  if (payload === undefined || random.next() < 0.5) return payload
  const named = Object.fromEntries(
    ["connection", "sourceId", "savedSearchId"].flatMap((field) =>
      typeof payload[field] === "string" ? [[field, id]] : []
    )
  )
  const channel =
    payload["threshold"] === undefined ? {} : { channel: { type: "webhook", webhookId: id }, channels: null }
  return { ...naming(payload, id), ...named, ...channel }
}

const poolSize = 600

/** Makes the valid requests that are mutated: every operation of the contract, with payloads from its schema. */
export const makeValidRequests = (seed: number) => {
  const operations = contractOperations()
  const pools = new Map(
    operations
      .filter(({ payload }) => payload !== undefined)
      .map(({ name, payloadSchema }) => [name, sampleDocuments(payloadSchema, poolSize, seed)])
  )
  // Creations have most to get wrong.
  const weighted = operations.flatMap((operation) =>
    Array.from({ length: operation.method === "POST" ? 4 : 1 }, () => operation)
  )
  const payloadOf = ({ name, payload }: ContractOperation, random: Random): Json | undefined => {
    const pool = pools.get(name)
    if (payload === undefined || pool === undefined) return undefined
    if (random.next() < 0.5) return { ...payload(`fuzz ${random.between(1, 1e6)}`), ...typical[name]?.(random) }
    const generated = random.pick(pool)
    // Most generated instants are in the past, and a creation with one is only rejected.
    const isLate = typeof generated["expireAt"] === "string" && random.next() < 0.8
    return isLate ? { ...generated, expireAt: future } : generated
  }
  return (random: Random, target: Target): Draft => {
    const operation = random.pick(weighted)
    const payload = namingOne(payloadOf(operation, random), target.pipes[0]?.id ?? "", random)
    return {
      method: operation.method,
      target: pathFor(
        operation,
        operation.name === "service.setState" ? { ...target, serviceId: target.restingServiceId } : target,
        // Every second path names a resource of any kind, the others one of the many pipes.
        random.pick(random.next() < 0.5 ? target.pipes.slice(0, resourcesOfAKind) : target.pipes).id
      ),
      version: "HTTP/1.1",
      headers: [
        ["host", "headgate.test"],
        ["authorization", authorizationOf(target)[operation.api]],
        ...(payload === undefined ? [] : [["content-type", "application/json"] as const])
      ],
      // Mutations change the copy.
      json: payload === undefined ? undefined : JSON.parse(JSON.stringify(payload)),
      body: undefined,
      isChunked: false,
      isHttp: true,
      mutations: []
    }
  }
}

const kinds: ReadonlyArray<{ readonly upTo: number; readonly mutations: Mutations }> = [
  { upTo: 0.45, mutations: documentMutations },
  { upTo: 0.65, mutations: bodyMutations },
  { upTo: 0.83, mutations: headerMutations },
  { upTo: 1, mutations: lineMutations }
]

/** The names of all mutations. */
export const mutationNames: ReadonlyArray<string> = kinds.flatMap(({ mutations }) => Object.keys(mutations))

const applyOne = (draft: Draft, random: Random): void => {
  const chance = random.next()
  const { mutations = lineMutations } = kinds.find(({ upTo }) => chance < upTo) ?? {}
  for (let attempt = 0; attempt < 10; attempt++) {
    const [name, mutation] = random.pick(Object.entries(attempt < 5 ? mutations : lineMutations))
    if (mutation(draft, random) === false) continue
    draft.mutations.push(name)
    return
  }
}

const Seed = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 - 1 }))

/**
 * A request as the seeds of a valid request and of the mutations of it. Effect's Arbitrary generates recipes, and finds the
 * simplest one that fails: with fewer mutations.
 */
export const Recipe = Schema.Struct({ request: Seed, mutations: Schema.Array(Seed).check(Schema.isMaxLength(3)) })

export const draftOf = (
  recipe: typeof Recipe.Type,
  target: Target,
  validRequest: ReturnType<typeof makeValidRequests>
): Draft => {
  const draft = validRequest(makeRandom(recipe.request), target)
  for (const seed of recipe.mutations) applyOne(draft, makeRandom(seed))
  return draft
}
