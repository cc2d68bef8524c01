import { escapeTerminalLine } from "@headgate/command-line"
import type { Dialect } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { problemsError } from "../error/CommandError.ts"
import * as Output from "../output/Output.ts"
import { dryRun } from "../request/dryRun.ts"
import { isYaml, parseDocument } from "../settings/parseDocument.ts"
import { currentDialect } from "../settings/settings.ts"
import { differences } from "./differences.ts"
import { exclusively } from "./exclusively.ts"
import { type FileResource, readDirectory } from "./directory.ts"
import { inSchemaOrder, jsonSchemaOf } from "./jsonSchemas.ts"
import { type ResourceKind, resourceKinds } from "./kinds.ts"
import { type LockEntry, readLock, writeLock } from "./lockFile.ts"
import { type Match, matchResources, type RemoteResource } from "./matchResources.ts"
import { canonicalJson, digestOf, fieldAt, type Members, membersOf, withFieldAt } from "./members.ts"
import { secretsIn } from "./pipeSecrets.ts"
import { listResources } from "./remoteResources.ts"
import { placeOf, readScope, type Scope } from "./scope.ts"
import { fileError, writeFile } from "../usage/writeFile.ts"

const flags = {
  dir: Flag.String("dir").pipe(
    Flag.withMetavar("directory"),
    Flag.withDescription("Directory of the files; it is made if it does not exist")
  ),
  kinds: Flag.Literals("kind", resourceKinds).pipe(
    Flag.withMetavar("kind"),
    Flag.withDescription("Export only this kind: dashboard, pipe or key; repeat for more"),
    Flag.atLeast(1),
    Flag.withDefault<ReadonlyArray<ResourceKind>>(resourceKinds)
  ),
  overwrite: Flag.Boolean("overwrite").pipe(
    Flag.withDescription("Also write files that were changed here since the service had the same"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  ),
  format: Flag.Literals("format", ["yaml", "json"]).pipe(
    Flag.withMetavar("format"),
    Flag.withDescription("Format of new files, yaml by default"),
    Flag.withDefault<"yaml" | "json">("yaml")
  )
}

const maxSlug = 80

/** A name as part of a file name. */
const slugOf = (name: string, kind: ResourceKind): string => {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? [kind]
  return words.join("-").slice(0, maxSlug)
}

/** A file name that no other file has. */
const freeName = ({ kind, name }: RemoteResource, format: string, taken: Set<string>): string => {
  const slug = slugOf(name, kind)
  const stem = (count: number) => (count === 1 ? slug : `${slug}-${count}`)
  let count = 1
  while (["yaml", "yml", "json"].some((end) => taken.has(`${stem(count)}.${kind}.${end}`))) count++
  const file = `${stem(count)}.${kind}.${format}`
  taken.add(file)
  return file
}

/** The new value of a file that exists: with its secrets, and what only a file says. */
const merged = (value: Members, existing: Members): Members => {
  const source = membersOf(existing["source"])
  const withSecrets = secretsIn(source).reduce<Members>(
    (value, path) => withFieldAt(value, `source.${path}`, fieldAt(source, path)),
    value
  )
  return {
    ...(existing["$schema"] === undefined ? {} : { $schema: existing["$schema"] }),
    ...(existing["stopped"] === false && value["stopped"] === undefined ? { stopped: false } : {}),
    ...withSecrets
  }
}

/** The text of a file with a document. */
const textOf = Effect.fnUntraced(function* (
  file: string,
  wanted: Members,
  schema: Members,
  existing: FileResource | undefined
) {
  const { withYamlValue, yamlText } = yield* Effect.promise(() => import("./yamlDocument.ts"))
  const ordered = inSchemaOrder(wanted, schema)
  if (!isYaml(file)) return `${JSON.stringify(ordered, undefined, 2)}\n`
  const text = existing === undefined ? yamlText(ordered) : withYamlValue(existing.text, ordered)
  // What an anchor and its aliases share cannot change in one place alone: then the file is written anew.
  const read = yield* parseDocument(file, text)
  const isWritten = differences(read, wanted, "exact").length === 0
  return isWritten ? text : yamlText(ordered)
})

/** Names a file and what becomes of it; documents list them. */
const name = (text: string) =>
  Effect.flatMap(Output.format, (format) => (format === "table" ? Output.note(escapeTerminalLine(text)) : Effect.void))

const makeDirectory = Effect.fnUntraced(function* (directory: string) {
  const files = yield* FileSystem.FileSystem
  yield* Effect.mapError(files.makeDirectory(directory, { recursive: true }), fileError(directory))
})

/** What an export does with a file: one that was changed here since the service had the same is kept. */
const actionOf = (wanted: Members, match: Match | undefined, overwrite: boolean) => {
  if (match === undefined) return "write"
  const { document } = match.file
  if (canonicalJson(document) === canonicalJson(wanted)) return "leave"
  return overwrite || match.entry?.document === digestOf(document) ? "write" : "keep"
}

/** Whether a file is as it was read, or still is not there: somebody may write it while the service answers. */
const isAsRead = Effect.fnUntraced(function* (path: string, match: Match | undefined) {
  const files = yield* FileSystem.FileSystem
  const isThere = yield* Effect.mapError(files.exists(path), fileError(path))
  if (!isThere || match === undefined) return isThere === (match !== undefined)
  return (yield* Effect.mapError(files.readFileString(path), fileError(path))) === match.file.text
})

/** Writes a file and names it. With `--dry-run` it only names it. */
const write = Effect.fnUntraced(function* (path: string, text: string, file: string) {
  if (yield* dryRun) return yield* name(`would write ${file}`)
  yield* writeFile(path, text)
  yield* name(`wrote ${file}`)
})

/** {@link actionOf} at the moment of writing. */
const decide = Effect.fnUntraced(function* (
  wanted: Members,
  match: Match | undefined,
  overwrite: boolean,
  path: string
) {
  const planned = actionOf(wanted, match, overwrite)
  const mayWrite = planned !== "write" || overwrite || (yield* isAsRead(path, match))
  return mayWrite ? planned : "keep"
})

/** The files of the directory. `--dry-run` makes none that is not there. */
const readFiles = Effect.fnUntraced(function* (directory: string, dialect: Dialect) {
  const files = yield* FileSystem.FileSystem
  const isThere = yield* Effect.mapError(files.exists(directory), fileError(directory))
  return isThere || !(yield* dryRun) ? yield* readDirectory(directory, dialect) : []
})

/** What the lock says of an exported resource. */
const entryOf = (
  { id, kind, name }: RemoteResource,
  scope: Scope,
  file: string,
  match: Match | undefined,
  digest: string | undefined
): LockEntry => {
  // A file that was kept is the one that the lock knew.
  const document = digest ?? match?.entry?.document
  const created = match?.entry?.created ?? false
  return {
    ...placeOf(kind, scope),
    kind,
    name,
    file,
    id,
    created,
    ...(document === undefined ? {} : { document })
  }
}

/** The entries of the lock that stay beside those of an export: those of others, and those of neither its ids nor its files. */
const notReplaced = (
  lock: ReadonlyArray<LockEntry>,
  others: ReadonlyArray<LockEntry>,
  exported: ReadonlyArray<LockEntry>
) => {
  const isReplaced = ({ file, id, kind }: LockEntry) =>
    exported.some((entry) => entry.kind === kind && (entry.id === id || entry.file === file))
  return lock.filter((entry) => others.includes(entry) || !isReplaced(entry))
}

/** Says what an export did, and which files have no resource. */
const report = Effect.fnUntraced(function* (
  dir: string,
  total: number,
  done: {
    readonly written: ReadonlyArray<string>
    readonly kept: ReadonlyArray<string>
    readonly gone: ReadonlyArray<string>
  },
  isDryRun: boolean
) {
  const { gone, kept, written } = done
  for (const file of gone) yield* Output.note(`note: ${escapeTerminalLine(file)}: the service has no such resource.`)
  const were = isDryRun ? "would be" : "were"
  yield* Output.done(`${written.length} of ${total} files ${were} written to ${dir}`, {
    written,
    kept,
    unchanged: total - written.length - kept.length,
    gone
  })
})

/** `headgate export --dir dir/` */
export const exportFiles = Command.make(
  "export",
  flags,
  Effect.fnUntraced(
    function* ({ dir, format, kinds, overwrite }) {
      const path = yield* Path.Path
      const scope = yield* readScope(kinds)
      const dialect = yield* currentDialect
      const isDryRun = yield* dryRun
      const found = yield* readFiles(dir, dialect)
      const lock = yield* readLock(dir)
      const resources = yield* listResources(kinds, dialect, scope)
      const exported = found.filter(({ kind }) => kinds.includes(kind))
      const { matches, others, problems } = matchResources(exported, lock, resources, scope)
      if (problems.length > 0) return yield* problemsError("The files cannot be matched", problems)

      const schemas = Object.fromEntries(kinds.map((kind) => [kind, jsonSchemaOf(kind, dialect)]))
      const matchOf = new Map(matches.map((match) => [match.remote, match]))
      const taken = new Set(found.map(({ file }) => file))
      const entries: Array<LockEntry> = []
      const written: Array<string> = []
      const kept: Array<string> = []
      for (const resource of resources.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
        const match = matchOf.get(resource)
        const file = match?.file.file ?? freeName(resource, format, taken)
        const wanted = merged(resource.value, match?.file.document ?? {})
        const place = path.join(dir, file)
        const action = yield* decide(wanted, match, overwrite, place)
        if (action === "write") {
          const text = yield* textOf(file, wanted, membersOf(schemas[resource.kind]), match?.file)
          yield* write(place, text, file)
          written.push(file)
        }
        if (action === "keep") {
          kept.push(file)
          yield* name(`kept ${file}: it was changed here, and differs from the service; --overwrite writes it`)
        }
        // A file that just came is another resource's, as far as anybody knows.
        if (action === "keep" && match === undefined) continue
        entries.push(entryOf(resource, scope, file, match, action === "keep" ? undefined : digestOf(wanted)))
      }
      if (!isDryRun) yield* writeLock(dir, [...notReplaced(lock, others, entries), ...entries])
      const gone = matches.flatMap(({ file, remote }) => (remote === undefined ? [file.file] : []))
      yield* report(dir, resources.length, { written, kept, gone }, isDryRun)
    },
    (exported, { dir }) =>
      Effect.flatMap(dryRun, (isDryRun) =>
        isDryRun ? exported : Effect.andThen(makeDirectory(dir), exclusively(dir, exported))
      )
  )
).pipe(
  Command.withExamples([
    { command: "headgate export --dir resources/", description: "Everything, as YAML" },
    { command: "headgate export --dir dashboards/ --kind dashboard --format json" }
  ])
)
