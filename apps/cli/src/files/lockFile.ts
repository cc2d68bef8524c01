import { fieldIssues, formatFieldIssues, OrganizationId, ServiceId } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import { DocumentError } from "../error/CommandError.ts"
import { resourceKinds } from "./kinds.ts"
import { fileError, writeFile } from "../usage/writeFile.ts"

/** A resource that a directory manages. */
export const LockEntry = Schema.Struct({
  organization: Schema.optionalKey(OrganizationId),
  /** Only of a pipe: keys and dashboards are those of the organization. */
  service: Schema.optionalKey(ServiceId),
  /** Of a dashboard that a token alone reaches, in place of its organization: the URL of the dashboards. */
  url: Schema.optionalKey(Schema.String),
  kind: Schema.Literals(resourceKinds),
  name: Schema.String,
  file: Schema.String,
  /** Absent until the service has acknowledged the creation. */
  id: Schema.optionalKey(Schema.String),
  /** Whether this directory created it. Only these are pruned. */
  created: Schema.Boolean,
  /** A creation that was begun: its `Idempotency-Key` is made from it, so that a repeat creates nothing. */
  creation: Schema.optionalKey(Schema.String),
  /** Digest of the document of the file when the service last had the same: another one was changed here since. */
  document: Schema.optionalKey(Schema.String),
  /** Digests of the document that was applied and of the answer, where the service fills in what the document leaves out. */
  applied: Schema.optionalKey(Schema.Struct({ document: Schema.String, answer: Schema.String }))
})
export type LockEntry = typeof LockEntry.Type

/** Whether this directory created the resource of an entry, or may have: a creation that was begun is not acknowledged. */
export const isOwned = ({ created, id }: LockEntry): boolean => created || id === undefined

const LockFile = Schema.Struct({ version: Schema.Literal(1), resources: Schema.Array(LockEntry) })

export const lockFileName = "headgate.lock.json"

const maxBytes = 8 * 1024 * 1024

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(LockFile), { errors: "all" })
const encode = Schema.encodeSync(LockFile)

const lockError = (path: string, message: string) =>
  new DocumentError({ message: `The file ${path} cannot be used: ${message}`, issues: [] })

/** The entries of the lock file of a directory; none if it has no such file. */
export const readLock = Effect.fnUntraced(function* (directory: string) {
  const files = yield* FileSystem.FileSystem
  const path = (yield* Path.Path).join(directory, lockFileName)
  if (!(yield* Effect.mapError(files.exists(path), fileError(path)))) return []
  const { size } = yield* Effect.mapError(files.stat(path), fileError(path))
  if (Number(size) > maxBytes) return yield* lockError(path, `it is larger than ${maxBytes} bytes.`)
  const text = yield* Effect.mapError(files.readFileString(path), fileError(path))
  const { resources } = yield* Effect.mapError(decode(text), (error) =>
    lockError(path, `this is not a lock file of this version of headgate: ${formatFieldIssues(fieldIssues(error))}.`)
  )
  return resources
})

const sortKey = ({ file, kind, organization, service, url }: LockEntry): string =>
  [organization ?? "", service ?? "", url ?? "", kind, file].join("\n")

/** Writes the lock file, sorted, so that a change of one resource is a change of a few lines. */
export const writeLock = Effect.fnUntraced(function* (directory: string, entries: ReadonlyArray<LockEntry>) {
  const path = (yield* Path.Path).join(directory, lockFileName)
  const resources = entries.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
  yield* writeFile(path, `${JSON.stringify(encode({ version: 1, resources }), undefined, 2)}\n`)
})
