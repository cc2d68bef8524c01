import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"
import type { Conflict, InvalidRequest } from "../error/CallError.ts"
import { IssueCollector } from "../error/FieldIssue.ts"
import { validate } from "../error/validate.ts"
import type { Pipe } from "./Pipe.ts"
import { checkFields, checkSource } from "./checkFields.ts"
import { joinCredentials, sourceFieldAt, sourceRules, splitCredentials, withSourceField } from "./credentialFields.ts"
import { act, type PipeRecord, type PipeChange, withoutDecision } from "./lifecycle.ts"
import { PipeSource, type PipeSourceName, pipeSourceKinds } from "./PipeSource.ts"
import { PipeSourceUpdate, PipeUpdate } from "./PipeUpdate.ts"
import { mappingRules, columnsRule, nameRules } from "./pipeRules.ts"
import { keepUnknown, knownFieldsOf, refusal, refuseUnknown, UnknownFields } from "./unknownFields.ts"
import { kafkaFieldsOfCreation } from "./source/KafkaSource.ts"

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members => Predicate.isObject(value)

/** Merges two objects; `null` removes a field. */
const merged = <A extends object>(stored: A | null | undefined, changes: object): Members =>
  Object.fromEntries(Object.entries({ ...stored, ...changes }).filter(([, value]) => value !== null))

/** The names by which a mapping is found, such as those of its schema and its table. */
const sourceNames = ["sourceSchemaName", "sourceDatabaseName", "sourceDatasetName", "sourceTable", "sourceCollection"]

const nameOf = (mapping: unknown): string =>
  sourceNames
    .flatMap((name) => (isMembers(mapping) && Predicate.isString(mapping[name]) ? [mapping[name]] : []))
    .join(".")

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Applies `tableMappingsToRemove`, then `tableMappingsToAdd`. */
const editedMappings = (
  found: IssueCollector,
  stored: unknown,
  { tableMappingsToAdd, tableMappingsToRemove }: Members,
  path: string
): ReadonlyArray<unknown> => {
  const tables = new Map(listOf(stored).map((mapping) => [nameOf(mapping), mapping]))
  for (const [index, mapping] of listOf(tableMappingsToRemove).entries()) {
    const name = nameOf(mapping)
    if (tables.delete(name)) continue
    found.report({ path: `${path}.tableMappingsToRemove[${index}]`, message: `the pipe has no table ${name}` })
  }
  for (const [index, mapping] of listOf(tableMappingsToAdd).entries()) {
    const name = nameOf(mapping)
    if (tables.has(name)) {
      found.report({ path: `${path}.tableMappingsToAdd[${index}]`, message: `the pipe has the table ${name} already` })
    }
    tables.set(name, mapping)
  }
  return Array.from(tables.values())
}

/** The credentials that a change of `authentication` makes void: those of the object it is in. */
const voidCredentials = (kind: PipeSourceName, stored: unknown, changed: unknown): ReadonlyArray<string> => {
  const { answeredSecrets = [], credentials } = sourceRules[kind]
  return [...credentials, ...answeredSecrets].filter((path) => {
    const authentication = [...path.split(".").slice(0, -1), "authentication"].join(".")
    const isSource = isMembers(stored) && isMembers(changed)
    return isSource && sourceFieldAt(stored, authentication) !== sourceFieldAt(changed, authentication)
  })
}

/** A member of a source after a change: settings are merged, others are replaced, and null removes. */
const changedMember = (member: string, stored: unknown, value: unknown): unknown => {
  if (member === "settings" && isMembers(value)) return merged(isMembers(stored) ? stored : {}, value)
  return value === null ? undefined : value
}

/** The source after the changes of its kind. Credentials that the changes do not have stay, unless their method changed. */
const changedSource = (
  found: IssueCollector,
  source: PipeSource,
  kind: PipeSourceName,
  changes: Members
): PipeSource => {
  const { answeredSecrets = [], credentials } = sourceRules[kind]
  const secrets = [...credentials, ...answeredSecrets]
  const at = (path: string) => `${kind}.${path}`
  let result = source
  for (const [member, value] of Object.entries(changes)) {
    if (member === "tableMappingsToAdd" || member === "tableMappingsToRemove") continue
    if (value === null && secrets.includes(member)) continue
    result = withSourceField(result, at(member), changedMember(member, sourceFieldAt(source, at(member)), value))
  }
  for (const path of secrets) {
    const kept = sourceFieldAt(source, at(path))
    if (kept !== undefined && !sourceFieldAt(result, at(path))) result = withSourceField(result, at(path), kept)
  }
  for (const path of voidCredentials(kind, source[kind], result[kind])) {
    if (sourceFieldAt(result, at(path)) === sourceFieldAt(source, at(path))) {
      result = withSourceField(result, at(path), undefined)
    }
  }
  if (listOf(changes["tableMappingsToAdd"]).length + listOf(changes["tableMappingsToRemove"]).length === 0)
    return result
  const mappings = sourceFieldAt(result, at("tableMappings"))
  return withSourceField(result, at("tableMappings"), editedMappings(found, mappings, changes, `source.${kind}`))
}

/** What is wrong with a changed source and was not before, or is in a member that changed. */
const checkChanged = (
  found: IssueCollector,
  kind: PipeSourceName,
  before: PipeSource,
  after: PipeSource,
  changes: Members
): void => {
  const issuesOf = (source: PipeSource) => {
    const issues = new IssueCollector()
    checkSource(issues, sourceRules[kind], source[kind], ["source", kind])
    return issues.issues
  }
  const known = new Set(issuesOf(before).map(({ message, path }) => `${path} ${message}`))
  const isChanged = (path: string) =>
    Object.keys(changes).some((member) => `${path}.`.startsWith(`source.${kind}.${member}.`))
  for (const issue of issuesOf(after)) {
    if (isChanged(issue.path) || !known.has(`${issue.path} ${issue.message}`)) found.report(issue)
  }
  for (const field of kafkaFieldsOfCreation) {
    if (Equal.equals(before.kafka?.[field], after.kafka?.[field])) continue
    found.report({ path: `source.kafka.${field}`, message: "Expected no change: it is set when the pipe is created" })
  }
}

/** Reports members of an object that an update has and that cannot change. The same value is accepted. */
const refuseChanges = (
  found: IssueCollector,
  path: string,
  stored: unknown,
  changes: object,
  message: string
): void => {
  for (const [member, value] of Object.entries(changes)) {
    if (value === null || Equal.equals(isMembers(stored) ? stored[member] : undefined, value)) continue
    found.report({ path: `${path}.${member}`, message })
  }
}

/** The kind of the pipe, if the update changes the source of that kind. */
const changedKind = (found: IssueCollector, pipe: Pipe, update: PipeUpdate): PipeSourceName | undefined => {
  const own = PipeSource.kind(pipe.source)
  for (const kind of pipeSourceKinds) {
    if (kind === own || !Predicate.isNotNullish(update.source?.[kind])) continue
    found.report({ path: `source.${kind}`, message: `Expected no other kind of source: the pipe reads from ${own}` })
  }
  return pipeSourceKinds.find((kind) => kind === own && Predicate.isNotNullish(update.source?.[kind]))
}

/** Members of a pipe that an update sends back, and those that are changed by rules of their own. */
const ignored = ["id", "serviceId", "state", "createdAt", "updatedAt", "startPaused"]
const changedByRule = ["name", "source", "destination", "settings", "scaling"]

/** The value at a path; a list has its elements by their index. */
const valueAt = (source: unknown, path: ReadonlyArray<string | number>): unknown =>
  path.reduce((part: unknown, name) => (Predicate.isObjectOrArray(part) ? Reflect.get(part, name) : undefined), source)

/** Whether a change leaves the place of an unknown field as it was: not removed by `null`, and in the mapping of the same table. */
const isPlaceOf = (before: PipeSource, after: PipeSource, update: unknown) => (path: ReadonlyArray<string | number>) =>
  valueAt(update, path) !== null &&
  path.every((segment, index) => {
    const to = path.slice(0, index + 1)
    return Predicate.isString(segment) || nameOf(valueAt(before, to)) === nameOf(valueAt(after, to))
  })

/** The fields of `source` beside its kinds that a change has and core does not know. */
const unknownOf = (source: Members): Members =>
  Object.fromEntries(Object.entries(source).filter(([name]) => !knownFieldsOf(PipeSourceUpdate).fields.has(name)))

/** What the source and its credentials become. */
const updatedSource = (found: IssueCollector, { credentials = {}, pipe }: PipeRecord, update: PipeUpdate) => {
  const { source } = pipe
  const kind = changedKind(found, pipe, update)
  const changes = kind === undefined ? undefined : update.source?.[kind]
  const others = isMembers(update.source) ? unknownOf(update.source) : {}
  const isChanged = kind !== undefined && isMembers(changes)
  if (!(isChanged || Object.keys(others).length > 0) || !isMembers(source))
    return { source, credentials, isEdit: false }
  const before = joinCredentials(source, credentials)
  const changed = isChanged ? changedSource(found, before, kind, changes) : before
  const after = keepUnknown(before, { ...changed, ...others }, isPlaceOf(before, changed, update.source))
  if (!isChanged) return { ...splitCredentials(after), isEdit: false }
  checkChanged(found, kind, before, after, changes)
  const mappings = `${kind}.tableMappings`
  return {
    ...splitCredentials(after),
    isEdit: !Equal.equals(sourceFieldAt(after, mappings), sourceFieldAt(before, mappings))
  }
}

/** The pipe after an update whose fields are valid. */
const updatedPipe = (pipe: Pipe, update: PipeUpdate, changedSource: Pipe["source"]): Pipe => {
  const { destination, name, settings } = update
  const validateSamples = update.source?.validateSamples
  const source = Predicate.isNotNullish(validateSamples) ? { ...changedSource, validateSamples } : changedSource
  const others = Struct.omit(update, [...ignored, ...changedByRule])
  return {
    ...pipe,
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null)),
    ...(Predicate.isNotNullish(name) ? { name } : {}),
    ...(source === undefined ? {} : { source }),
    ...(Predicate.isNotNullish(destination?.columns)
      ? { destination: { ...pipe.destination, columns: destination.columns } }
      : {}),
    ...(Predicate.isNotNullish(settings) ? { settings: merged(pipe.settings, settings) } : {})
  }
}

const change =
  (update: PipeUpdate, unknownFields: "refuse" | "keep"): PipeChange<InvalidRequest | Conflict> =>
  (record, start) => {
    const { pipe } = record
    const found = new IssueCollector()
    const refused =
      unknownFields === "refuse"
        ? refuseUnknown(
            found,
            knownFieldsOf(PipeSourceUpdate),
            update.source,
            joinCredentials(pipe.source ?? {}, record.credentials ?? {})
          )
        : []
    checkFields(found, { ...(Predicate.isNotNullish(update.name) ? nameRules : {}), ...mappingRules }, update, [])
    const { credentials, isEdit, source: changed } = updatedSource(found, record, update)
    const destination = Struct.omit(update.destination ?? {}, ["columns"])
    checkFields(found, { columns: columnsRule }, update.destination, ["destination"])
    refuseChanges(found, "destination", pipe.destination, destination, "Expected no change: only columns can change")
    const scaling = isMembers(update["scaling"]) ? update["scaling"] : {}
    refuseChanges(found, "scaling", pipe.scaling, scaling, "Expected no change: it has an operation of its own")
    if (found.count > 0) return Result.fail(refusal(found, refused))

    const next = updatedPipe(pipe, update, changed)
    if (Equal.equals(next, pipe) && Equal.equals(credentials, record.credentials ?? {})) return Result.succeed(record)
    const updated = {
      // A decision was made about the source as it was.
      ...(Equal.equals(next.source, pipe.source) ? record : withoutDecision(record)),
      pipe: next,
      credentials
    }
    return isEdit ? act(updated, "edit", start) : Result.succeed(updated)
  }

const validateRequest = validate(PipeUpdate)

/**
 * The change of a pipe by an update: see `PipeUpdate` for what stays, is merged and is replaced. An update that changes nothing
 * returns the very value that is stored. The change fails with `InvalidRequest`, which names each wrong field: one that breaks
 * a rule of a new pipe or is unknown ({@link UnknownFields}), another kind of source, another `authentication` without its credentials, a table that is there
 * already or is not there. Contract: docs/wire-contract.md#change-a-pipe.
 *
 * @example
 * ```ts
 * import type { PipeUpdate } from "@headgate/core"
 * import { pipeChanges, type PipeRecord, type TransitionTime } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const update = Effect.fn("update")(function* (held: PipeRecord, request: PipeUpdate, start: TransitionTime) {
 *   const change = yield* pipeChanges.update(request)
 *   return yield* Effect.fromResult(change(held, start))
 * })
 * ```
 */
export const updateChange = (request: PipeUpdate) => Effect.zipWith(validateRequest(request), UnknownFields, change)
