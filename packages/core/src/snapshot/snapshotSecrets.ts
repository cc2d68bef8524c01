import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Sealing } from "../access/Sealing.ts"
import { invalidRequest } from "../error/CallError.ts"
import { formatPath, IssueCollector } from "../error/FieldIssue.ts"
import { kindNames, kinds, mapKinds } from "./kinds.ts"
import type { JoinableSecrets } from "./kindSecrets.ts"
import type { SnapshotSecrets } from "./Snapshot.ts"
import type { KindName, RowLists, SnapshotContent, SnapshotRows } from "./SnapshotContent.ts"

/** The secrets of the resources of one kind. */
const secretsOfKind = <Kind extends KindName>(kind: Kind, content: SnapshotContent) => {
  const { secrets } = kinds[kind]
  return secrets === undefined ? [] : content[kind].flatMap((stored) => secrets.of(stored))
}

/**
 * The secrets of a store's content, for adapters that implement `Snapshots.exportWithSecrets`. With `sealingKey`, the content
 * holds them sealed with the key of this fingerprint.
 *
 * @example
 * ```ts
 * import { type SnapshotContent, type Sealing, secretsOf, toSnapshot } from "@headgate/core/adapter"
 *
 * export const withSecrets = (sealing: Sealing["Service"], sealed: SnapshotContent) => ({
 *   ...toSnapshot(sealed),
 *   secrets: secretsOf(sealed, sealing.fingerprint)
 * })
 * ```
 */
export const secretsOf = (content: SnapshotContent, sealingKey?: string): SnapshotSecrets => {
  const values = Object.fromEntries(
    kindNames
      .flatMap((kind) => secretsOfKind(kind, content))
      // By name, so that it does not matter in which order the store holds the resources of several organizations.
      .toSorted(({ name: one }, { name: other }) => (one < other ? -1 : 1))
      .map(({ isText, name, value }) => {
        const open = Redacted.value(value)
        const text = sealingKey !== undefined || isText ? String(open) : JSON.stringify(open)
        return [name, Redacted.make(text, { label: "secret" })]
      })
  )
  return sealingKey === undefined ? { values } : { sealingKey, values }
}

/** The issue of each value of a snapshot that is sealed with a key that the store does not have. */
export const refusedSecrets = (secrets: SnapshotSecrets, held: string | undefined) => {
  const found = new IssueCollector()
  const why = held === undefined ? "the store seals with none" : `the store seals with the key ${held}`
  const message =
    `It is sealed with the key ${secrets.sealingKey}, and ${why}: ` +
    "import into a store with that key, or export without secrets"
  for (const name of Object.keys(secrets.values)) {
    if (found.isFull) break
    found.report({ path: formatPath(["secrets", "values", name]), message })
  }
  return found.issues
}

const decodeJson = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Json))

/**
 * Puts the secrets of a snapshot into its rows. What a row has already stays. With `sealing`, both are sealed with its key. Fails
 * with `InvalidRequest` for a value that belongs to nothing in the snapshot, does not open, or is no JSON.
 *
 * @example
 * ```ts
 * import type { Snapshot } from "@headgate/core"
 * import { joinSecrets, type Sealing, snapshotRows, type SnapshotRows } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * // For a store that seals. `sealRows` is yours: it seals what the resources of the snapshot have in plain text.
 * declare const sealRows: (rows: SnapshotRows) => Effect.Effect<SnapshotRows>
 * export const sealedRows = Effect.fn("sealedRows")(function* (snapshot: Snapshot, sealing: Sealing["Service"]) {
 *   const rows = yield* sealRows(yield* snapshotRows(snapshot, sealing.fingerprint))
 *   const { secrets } = snapshot
 *   return secrets?.sealingKey === undefined ? rows : yield* joinSecrets(rows, secrets, sealing)
 * })
 * ```
 */
export const joinSecrets = Effect.fnUntraced(function* (
  rows: SnapshotRows,
  { values }: SnapshotSecrets,
  sealing?: Sealing["Service"]
) {
  const found = new IssueCollector()
  const left = new Map(Object.entries(values))
  const report = (name: string, message: string) =>
    found.report({ path: formatPath(["secrets", "values", name]), message })
  const joinable: JoinableSecrets = {
    isSealed: sealing !== undefined,
    report,
    take: (name) => {
      const value = left.get(name)
      left.delete(name)
      return value
    },
    putBack: (name, text) => left.set(name, text),
    parse: (name, text) => {
      const value = decodeJson(Redacted.value(text))
      if (Result.isSuccess(value)) return Redacted.make(value.success, { label: "credentials" })
      report(name, "Expected JSON")
      return undefined
    }
  }
  const joined: RowLists = mapKinds(kindNames, () => [])
  const join = <Kind extends KindName>(kind: Kind) => {
    const { secrets } = kinds[kind]
    for (const { path, value } of rows[kind]) {
      joined[kind].push({ path, value: secrets === undefined ? value : secrets.join(value, joinable) })
    }
  }
  kindNames.forEach(join)
  if (sealing !== undefined) {
    for (const [name, value] of Object.entries(values)) {
      if (found.isFull) break
      const isSealed = Option.isSome(yield* sealing.open(Redacted.value(value), name))
      if (!isSealed) report(name, "Expected the sealed value of this field as it was exported")
    }
  }
  for (const name of left.keys()) {
    if (found.isFull) break
    report(name, "Expected the name of a secret of a pipe, a connection or a webhook in the snapshot")
  }
  const whole: SnapshotRows = joined
  return found.count === 0 ? whole : yield* invalidRequest(found.issues)
})
