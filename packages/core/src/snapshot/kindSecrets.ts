import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import { withVersion } from "../access/Version.ts"
import { type DocumentKindName, documentKinds } from "../dashboard/documentKinds.ts"
import { type DocumentRecord, secretsDecoder } from "../dashboard/documentRules.ts"
import type { ConnectionId } from "../id/dashboard.ts"
import type { ConnectionRecord } from "../dashboard/storedDocuments.ts"
import {
  answeredSecretFields,
  credentialFields,
  sourceFieldAt,
  splitSecrets,
  withSourceField
} from "../pipe/credentialFields.ts"
import type { Pipe } from "../pipe/Pipe.ts"
import type { PipeSource } from "../pipe/PipeSource.ts"
import type { PipeId } from "../id/pipe.ts"
import { unknownFieldsPath } from "../pipe/unknownFields.ts"
import type { KindRecords } from "./SnapshotContent.ts"

/**
 * The names of secrets: in a snapshot, and as the `context` of `Sealing`.
 *
 * @example
 * ```ts
 * import { ConnectionId, PipeId } from "@headgate/core"
 * import { secretNames } from "@headgate/core/adapter"
 *
 * const id = PipeId.make("6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f")
 * console.log(secretNames.pipe(id, "kafka.credentials"))
 * // pipe/6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f/source.kafka.credentials
 * console.log(secretNames.connection(ConnectionId.make("c0000000000000000000000a")))
 * // connection/c0000000000000000000000a/password
 * console.log(secretNames.document("webhooks", "d0000000000000000000000a")) // webhook/d0000000000000000000000a/secrets
 * ```
 */
export const secretNames = {
  /**
   * Of a secret of a pipe. `path` is one of `credentialFields` or `answeredSecretFields`, or `$unknownFields` for the unknown fields of
   * its source.
   */
  pipe: (id: PipeId, path: string): string => `pipe/${id}/source.${path}`,
  /** Of the password of a connection. */
  connection: (id: ConnectionId): string => `connection/${id}/password`,
  /** Of the secrets of a document: all of them are one JSON object. */
  document: (kind: DocumentKindName, id: string): string => `${documentKinds[kind].noun}/${id}/secrets`
}

/** A secret of a resource with its name. `isText`: a snapshot has it as it is, and others as JSON. */
interface NamedSecret {
  readonly name: string
  readonly value: Redacted.Redacted<Schema.Json>
  readonly isText: boolean
}

/** The secrets of a snapshot, for the resources that they belong to. */
export interface JoinableSecrets {
  readonly isSealed: boolean
  /** Removes a secret from those that belong to nothing yet. */
  readonly take: (name: string) => Redacted.Redacted | undefined
  readonly putBack: (name: string, text: Redacted.Redacted) => void
  /** The value of a text that is not sealed. It reports a text that is no JSON. */
  readonly parse: (name: string, text: Redacted.Redacted) => Redacted.Redacted<Schema.Json> | undefined
  readonly report: (name: string, message: string) => void
}

/** How the resources of one kind have secrets. */
export interface KindSecrets<Stored> {
  readonly of: (stored: Stored) => ReadonlyArray<NamedSecret>
  /** Puts the secrets of a snapshot into a resource. What it has already stays. */
  readonly join: (stored: Stored, secrets: JoinableSecrets) => Stored
}

/** The paths of the secrets of a pipe that are texts. Other credentials are JSON. */
const textPaths = new Set(answeredSecretFields)

const joinPipe = (pipe: Pipe, { isSealed, parse, putBack, take }: JoinableSecrets): Pipe => {
  if (!pipe.source) return pipe
  let source: PipeSource = pipe.source
  for (const path of [...credentialFields, ...answeredSecretFields, unknownFieldsPath]) {
    const name = secretNames.pipe(pipe.id, path)
    const text = take(name)
    if (text === undefined || Predicate.isNotNullish(sourceFieldAt(source, path))) continue
    const value = isSealed || textPaths.has(path) ? text : parse(name, text)
    if (value === undefined) continue
    source = withSourceField(source, path, value)
    if (sourceFieldAt(source, path) === undefined) putBack(name, text)
  }
  return source === pipe.source ? pipe : withVersion({ ...pipe, source }, 1)
}

/** The credentials of the sources of pipes. */
export const pipeSecrets: KindSecrets<KindRecords["pipes"]> = {
  of: ({ credentials = {}, pipe: { id, source } }) => {
    // Unknown fields that a document has are not sealed.
    const { [unknownFieldsPath]: _, ...answered } = splitSecrets(source ?? {}).credentials
    return Object.entries({ ...credentials, ...answered }).map(([path, value]) => ({
      name: secretNames.pipe(id, path),
      value,
      isText: textPaths.has(path)
    }))
  },
  join: (stored, secrets) => ({ ...stored, pipe: joinPipe(stored.pipe, secrets) })
}

/** The passwords of connections. */
export const connectionSecrets: KindSecrets<ConnectionRecord> = {
  of: ({ connection: { id }, password }) =>
    password === undefined ? [] : [{ name: secretNames.connection(id), value: password, isText: true }],
  join: (record, { take }) => {
    const password = take(secretNames.connection(record.connection.id))
    return password === undefined || record.password !== undefined ? record : { ...record, password }
  }
}

/** The secrets of a kind of documents; `undefined` if it has none. */
export const documentSecrets = (kind: DocumentKindName): KindSecrets<DocumentRecord> | undefined => {
  const decode = secretsDecoder(kind)
  if (decode === undefined) return undefined
  return {
    of: ({ document, secrets }) =>
      secrets === undefined ? [] : [{ name: secretNames.document(kind, document.id), value: secrets, isText: false }],
    join: (record, { isSealed, parse, report, take }) => {
      const name = secretNames.document(kind, record.document.id)
      const text = take(name)
      if (text === undefined || record.secrets !== undefined) return record
      const secrets = isSealed ? text : parse(name, text)
      if (secrets === undefined) return record
      if (isSealed || Result.isSuccess(decode(Redacted.value(secrets)))) return { ...record, secrets }
      report(name, `Expected the secrets of a ${documentKinds[kind].noun} as they were exported`)
      return record
    }
  }
}
