import { ApiKeyCreate, DashboardCreate, Pipe, PipeId, ServiceId, type HashData, type Snapshot } from "@headgate/core"
import { hashCredential, keySuffix, pipeLifecycle, type SnapshotKey, splitCredentials } from "@headgate/core/adapter"
import * as Arbitrary from "effect/Arbitrary"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Digest from "effect/crypto/Digest"

// Node 24.21 reads every name that begins with an escape as "\\" once it has read that name in the same place: without such
// a name, what is written as JSON is what is read again.
const isReadBack = (value: unknown): boolean => !JSON.stringify(value).includes(String.raw`"\\":`)

const encodePipe = Schema.encodeResult(Pipe)

/**
 * Any pipe, unknown fields included but for those of its source, which a store seals. Its UUIDs are in small letters, as a store has
 * them, and its timestamps are ones that RFC 3339 can write: years 0 to 9999.
 */
export const anyPipe: Arbitrary.Arbitrary<Pipe> = Arbitrary.schema(Pipe).pipe(
  Arbitrary.map((pipe) => ({
    ...pipe,
    ...(pipe.source ? { source: splitCredentials(pipe.source).source } : {}),
    // A pipe in a passing state would go on between the import and the read.
    state:
      pipeLifecycle.dueOf(pipeLifecycle.resume(pipe, { now: 0, stepLength: Duration.millis(1) })) === undefined
        ? pipe.state
        : "Running",
    id: PipeId.make(pipe.id.toLowerCase()),
    serviceId: ServiceId.make(pipe.serviceId.toLowerCase())
  })),
  Arbitrary.filter((pipe) => Result.isSuccess(encodePipe(pipe)) && isReadBack(pipe))
)

// A service refuses values that it does not know.
const served = { type: "time", dataSource: "events", aggFn: "count", whereLanguage: "sql", metricDataType: "gauge" }

/** Any request for a dashboard, unknown fields included. */
export const anyDashboardCreate: Arbitrary.Arbitrary<DashboardCreate> = Arbitrary.schema(DashboardCreate).pipe(
  Arbitrary.map(({ tiles, ...request }): DashboardCreate => ({
    ...request,
    // A store whose tiles have series refuses a config.
    tiles: (tiles ?? []).map(({ config: _config, series, ...tile }) => ({
      ...tile,
      series: (series ?? []).map((one) => ({ ...one, ...served }))
    }))
  })),
  Arbitrary.filter(isReadBack)
)

/** Any request for a key that never expires, has no roles by id, and whose credentials the service makes. */
export const anyApiKeyCreate: Arbitrary.Arbitrary<ApiKeyCreate> = Arbitrary.schema(ApiKeyCreate).pipe(
  Arbitrary.map(
    ({ assignedRoleIds: _ids, expireAt: _expireAt, hashData: _hashData, ...request }): ApiKeyCreate => request
  ),
  Arbitrary.filter(isReadBack)
)

/** Enough runs to find unusual values, few enough for an adapter that starts a server for each run. */
export const fewRuns = { arbitrary: { runs: 30 } } as const

/** The hashes that a caller sends who makes the credentials. */
export const hashDataOf = Effect.fnUntraced(function* (keyId: string, keySecret: string) {
  const hashData: HashData = {
    keyIdHash: yield* hashCredential(keyId),
    keyIdSuffix: keySuffix(keyId),
    keySecretHash: yield* hashCredential(keySecret)
  }
  return hashData
}, Effect.provide(Digest.layerWebCrypto))

const spareKey = Effect.fnUntraced(function* (name: string) {
  const key: SnapshotKey = { name, roles: ["developer"], hashData: yield* hashDataOf(`spare-id-${name}`, name) }
  return key
})

/** The most keys of an organization, where nothing sets another limit. */
export const maxApiKeys = 100

/** The snapshot with keys added to one of its organizations, so that it has `count` of them. */
export const withKeyCount = Effect.fnUntraced(function* (snapshot: Snapshot, index: number, count: number) {
  const organizations = yield* Effect.forEach(
    snapshot.organizations,
    Effect.fnUntraced(function* (organization, position) {
      if (position !== index) return organization
      const { keys = [] } = organization
      const spare = yield* Effect.forEach(Array.from({ length: count - keys.length }), (_, n) =>
        spareKey(`spare-${index}-${n}`)
      )
      return { ...organization, keys: [...keys, ...spare] }
    })
  )
  const filled: Snapshot = { organizations }
  return filled
})

/** Values that a field may hold in a program but not in JSON. */
export const notJson: ReadonlyArray<readonly [string, unknown]> = [
  ["a bigint", 1n],
  ["NaN", Number.NaN],
  ["a Map", new Map([["a", 1]])],
  ["a function", () => 1],
  ["undefined", undefined]
]
