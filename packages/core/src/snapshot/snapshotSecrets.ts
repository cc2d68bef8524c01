import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { Sealing } from "../access/Sealing.ts"
import { withVersion } from "../access/Version.ts"
import {
  type DocumentKindName,
  documentKinds,
  type DocumentRecord,
  secretsDecoder
} from "../dashboard/documentKinds.ts"
import type { ConnectionRecord } from "../dashboard/storedDocuments.ts"
import type { ConnectionId } from "../dashboard/ids.ts"
import { invalidRequest } from "../error/CallError.ts"
import { formatPath, IssueCollector } from "../error/FieldIssue.ts"
import {
  answeredSecretFields,
  credentialFields,
  sourceFieldAt,
  splitSecrets,
  withSourceField
} from "../pipe/credentialFields.ts"
import type { Pipe } from "../pipe/Pipe.ts"
import type { PipeSource } from "../pipe/PipeSource.ts"
import type { PipeId } from "../pipe/ids.ts"
import { unknownFieldsPath } from "../pipe/unknownFields.ts"
import type { SnapshotSecrets } from "./Snapshot.ts"
import type { SnapshotContent, SnapshotRows } from "./SnapshotContent.ts"

/**
 * The name of a secret of a pipe: in a snapshot, and as the `context` of `Sealing`. `path` is one of `credentialFields` or
 * `answeredSecretFields`, or `$unknownFields` for the unknown fields of its source.
 *
 * @example
 * ```ts
 * import { PipeId } from "@headgate/core"
 * import { pipeSecretName } from "@headgate/core/adapter"
 *
 * const id = PipeId.make("6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f")
 * console.log(pipeSecretName(id, "kafka.credentials"))
 * // pipe/6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f/source.kafka.credentials
 * ```
 */
export const pipeSecretName = (id: PipeId, path: string): string => `pipe/${id}/source.${path}`

/**
 * The name of the password of a connection, as {@link pipeSecretName}.
 *
 * @example
 * ```ts
 * import { ConnectionId } from "@headgate/core"
 * import { connectionSecretName } from "@headgate/core/adapter"
 *
 * console.log(connectionSecretName(ConnectionId.make("c0000000000000000000000a")))
 * // connection/c0000000000000000000000a/password
 * ```
 */
export const connectionSecretName = (id: ConnectionId): string => `connection/${id}/password`

/**
 * The name of the secrets of a document, as {@link pipeSecretName}: all of them are one JSON object.
 *
 * @example
 * ```ts
 * import { documentSecretName } from "@headgate/core/adapter"
 *
 * console.log(documentSecretName("webhooks", "d0000000000000000000000a")) // webhook/d0000000000000000000000a/secrets
 * ```
 */
export const documentSecretName = (kind: DocumentKindName, id: string): string =>
  `${documentKinds[kind].noun}/${id}/secrets`

const kindNames = Struct.keys(documentKinds)

/** A pipe without any secret. */
export const withoutSecrets = (pipe: Pipe): Pipe =>
  Predicate.isNullish(pipe.source) ? pipe : { ...pipe, source: splitSecrets(pipe.source).source }

/** The paths of the secrets of a pipe that are texts. Other credentials are JSON. */
const textPaths = new Set(answeredSecretFields)

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
  const { connections, pipes } = content
  const textOf = (path: string, value: Schema.Json): string =>
    sealingKey !== undefined || textPaths.has(path) ? String(value) : JSON.stringify(value)
  const ofPipes = pipes.flatMap(({ credentials = {}, pipe: { id, source } }) => {
    // Unknown fields that a document has are not sealed.
    const { [unknownFieldsPath]: _, ...answered } = splitSecrets(source ?? {}).credentials
    return Object.entries({ ...credentials, ...answered }).map(
      ([path, value]) => [pipeSecretName(id, path), textOf(path, Redacted.value(value))] as const
    )
  })
  const ofConnections = connections.flatMap(({ connection: { id }, password }) =>
    password === undefined ? [] : [[connectionSecretName(id), Redacted.value(password)] as const]
  )
  const ofDocuments = kindNames.flatMap((kind) =>
    content[kind].flatMap(({ document, secrets }) => {
      const name = documentSecretName(kind, document.id)
      return secrets === undefined ? [] : [[name, textOf(name, Redacted.value(secrets))] as const]
    })
  )
  const values = Object.fromEntries(
    // By name, so that it does not matter in which order the store holds the resources of several organizations.
    [...ofPipes, ...ofConnections, ...ofDocuments]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, text]) => [name, Redacted.make(text, { label: "secret" })])
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
  const take = (name: string) => {
    const value = left.get(name)
    left.delete(name)
    return value
  }
  /** The credentials of a text that is not sealed. */
  const credentialsOf = (name: string, text: Redacted.Redacted) => {
    const value = decodeJson(Redacted.value(text))
    if (Result.isSuccess(value)) return Redacted.make(value.success, { label: "credentials" })
    report(name, "Expected JSON")
    return undefined
  }
  const joinPipe = (pipe: Pipe): Pipe => {
    if (!pipe.source) return pipe
    let source: PipeSource = pipe.source
    for (const path of [...credentialFields, ...answeredSecretFields, unknownFieldsPath]) {
      const name = pipeSecretName(pipe.id, path)
      const text = take(name)
      if (text === undefined || Predicate.isNotNullish(sourceFieldAt(source, path))) continue
      const value = sealing !== undefined || textPaths.has(path) ? text : credentialsOf(name, text)
      if (value === undefined) continue
      source = withSourceField(source, path, value)
      if (sourceFieldAt(source, path) === undefined) left.set(name, text)
    }
    return source === pipe.source ? pipe : withVersion({ ...pipe, source }, 1)
  }
  const joinConnection = (record: ConnectionRecord): ConnectionRecord => {
    const password = take(connectionSecretName(record.connection.id))
    return password === undefined || record.password !== undefined ? record : { ...record, password }
  }
  const joinDocuments = (kind: DocumentKindName) => {
    const decode = secretsDecoder(kind)
    const join = (record: DocumentRecord): DocumentRecord => {
      const name = documentSecretName(kind, record.document.id)
      const text = decode === undefined ? undefined : take(name)
      if (decode === undefined || text === undefined || record.secrets !== undefined) return record
      const secrets = sealing === undefined ? credentialsOf(name, text) : text
      if (secrets === undefined) return record
      if (sealing !== undefined || Result.isSuccess(decode(Redacted.value(secrets)))) return { ...record, secrets }
      report(name, "Expected the secrets of a webhook as they were exported")
      return record
    }
    return rows[kind].map(({ path, value }) => ({ path, value: join(value) }))
  }
  const joined: SnapshotRows = {
    ...rows,
    savedSearches: joinDocuments("savedSearches"),
    webhooks: joinDocuments("webhooks"),
    alerts: joinDocuments("alerts"),
    pipes: rows.pipes.map(({ path, value }) => ({ path, value: { ...value, pipe: joinPipe(value.pipe) } })),
    connections: rows.connections.map(({ path, value }) => ({ path, value: joinConnection(value) }))
  }
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
  return found.count === 0 ? joined : yield* invalidRequest(found.issues)
})
