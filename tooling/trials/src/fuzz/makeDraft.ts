import { ApiKeyCreate, DashboardCreate } from "@headgate/core"
import { credentialHash } from "../load/World.ts"
import { makeRandom, type Random } from "../load/Random.ts"
import { byteMutations } from "./byteMutations.ts"
import { documentMutations } from "./documentMutations.ts"
import { type Draft, mutate, type Mutation } from "./Draft.ts"
import { headerMutations } from "./headerMutations.ts"
import { lineMutations } from "./lineMutations.ts"
import { type Json, sampleEncoded } from "./samples.ts"
import type { Target } from "./world.ts"

/** Valid bodies, from the schemas. */
export interface Pools {
  readonly keys: ReadonlyArray<Json>
  readonly dashboards: ReadonlyArray<Json>
}

export const makePools = (seed: number): Pools => ({
  keys: sampleEncoded(ApiKeyCreate, { count: 600, seed }),
  dashboards: sampleEncoded(DashboardCreate, { count: 600, seed })
})

const future = "2999-12-31T23:59:59Z"

// Most instants that the schema allows have passed: a create that asks for one proves only that it is refused.
const withFuture = (document: Json, random: Random): Json =>
  typeof document["expireAt"] === "string" && random.next() < 0.8 ? { ...document, expireAt: future } : document

const typicalKey = (random: Random): Json => {
  const keyId = random.uuid()
  return {
    name: `key ${random.between(1, 1e6)}`,
    ...(random.next() < 0.7
      ? { roles: random.pick([["admin"], ["developer"], ["query_endpoints", "developer"]]) }
      : {}),
    ...(random.next() < 0.4 ? { state: random.pick(["enabled", "disabled"]) } : {}),
    ...(random.next() < 0.4 ? { expireAt: random.pick([null, "", future, "2999-06-01T12:00:00.123456+02:00"]) } : {}),
    ...(random.next() < 0.4
      ? { ipAccessList: [{ source: random.pick(["192.0.2.7/24", "2001:db8::/32", "::1"]), description: "office" }] }
      : {}),
    ...(random.next() < 0.2
      ? {
          hashData: {
            keyIdHash: credentialHash(keyId),
            keyIdSuffix: keyId.slice(-4),
            keySecretHash: credentialHash(`secret of ${keyId}`)
          }
        }
      : {})
  }
}

const typicalDashboard = (random: Random): Json => ({
  name: `dashboard ${random.between(1, 1e6)}`,
  tiles: Array.from({ length: random.between(0, 4) }, (_, index) => ({
    name: "tile",
    x: index,
    y: 0,
    w: 6,
    h: 4.5,
    asRatio: false,
    series: [{ type: "time", dataSource: "events", aggFn: "count", where: "level:error", groupBy: ["service"] }]
  })),
  tags: ["fuzz", "fuzz", "größe 🚰"]
})

const draft = (method: string, target: string, authorization: string, json?: Json): Draft => ({
  method,
  target,
  version: "HTTP/1.1",
  headers: [
    ["host", "headgate.test"],
    ["authorization", authorization],
    ...(json === undefined ? [] : ([["content-type", "application/json"]] satisfies ReadonlyArray<[string, string]>))
  ],
  // A copy that mutations may write to.
  json: json === undefined ? undefined : JSON.parse(JSON.stringify(json)),
  body: undefined,
  chunked: false,
  isHttp: true,
  recipe: []
})

const valid = (random: Random, { basic, bearer, id, pipes, serviceId }: Target, pools: Pools): Draft => {
  const chance = random.next()
  const own = random.next() < 0.5
  const pipe = `/v1/organizations/${id}/services/${serviceId}/dbpipes/${random.pick(pipes)["id"]}`
  if (chance < 0.34) {
    const body = own ? typicalKey(random) : withFuture(random.pick(pools.keys), random)
    return draft("POST", `/v1/organizations/${id}/keys`, basic, body)
  }
  if (chance < 0.68) {
    const body = own ? typicalDashboard(random) : random.pick(pools.dashboards)
    return draft("POST", "/api/v2/dashboards", bearer, body)
  }
  if (chance < 0.82) return draft("GET", pipe, basic)
  if (chance < 0.9) return draft("DELETE", pipe, basic)
  return draft("GET", "/api/v2/dashboards", bearer)
}

const kinds = [
  { upTo: 0.45, mutations: documentMutations },
  { upTo: 0.65, mutations: byteMutations },
  { upTo: 0.83, mutations: headerMutations },
  { upTo: 1, mutations: lineMutations }
]

const pickMutation = (random: Random, current: Draft): Mutation => {
  const chance = random.next()
  const wanted = kinds.find(({ upTo }) => chance < upTo)?.mutations ?? lineMutations
  const fitting = wanted.filter(({ fits }) => fits(current))
  return random.pick(fitting.length === 0 ? lineMutations : fitting)
}

const howMany = (random: Random): number => {
  const chance = random.next()
  return chance < 0.15 ? 0 : chance < 0.65 ? 1 : chance < 0.88 ? 2 : 3
}

/** The request with this number of the run with this seed: the same every time, whatever was sent before. */
export const makeDraft = (seed: number, index: number, target: Target, pools: Pools): Draft => {
  const random = makeRandom(seed * 1_000_003 + index)
  const made = valid(random, target, pools)
  const mutations = howMany(random)
  for (let count = 0; count < mutations; count++) mutate(made, pickMutation(random, made), random)
  return made
}

/** The names of all mutations: a run that never used one proves nothing about it. */
export const mutationNames: ReadonlyArray<string> = kinds.flatMap(({ mutations }) => mutations.map(({ name }) => name))
