import * as Context from "effect/Context"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { type InvalidRequest, invalidRequest } from "../error/CallError.ts"
import { formatPath, type IssueCollector, maxIssues } from "../error/FieldIssue.ts"
import { shortName, unknownFieldMessage } from "../error/knownFields.ts"
import { type PipeSource, PipeSourceCreate } from "./PipeSource.ts"

/**
 * What adapters that store pipes do with unknown fields in the `source` of a creation, a change or a discovery: `refuse` fails with
 * `InvalidRequest`, which suggests the nearest known field; `keep` seals them with the credentials, and answers them never. A field
 * that the stored pipe has already is not refused. `headgate-server --unknown-fields` sets it. Adapters for a network pass
 * unknown fields on.
 *
 * @example
 * ```ts
 * import { UnknownFields } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const keeping = <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.provideService(call, UnknownFields, "keep")
 * ```
 */
export const UnknownFields = Context.Reference<"refuse" | "keep">("@headgate/core/pipe/UnknownFields", {
  defaultValue: () => "refuse" as const
})

/**
 * The path in `source` under which a pipe keeps its unknown fields as a secret: all of them as one list of paths and values. A
 * field that a caller sends under this name is an unknown field like any other.
 */
export const unknownFieldsPath = "$unknownFields"

type Path = ReadonlyArray<string | number>

const Kept = Schema.Array(Schema.Tuple([Schema.Array(Schema.Union([Schema.String, Schema.Int])), Schema.Json]))
type Kept = typeof Kept.Type
const decodeKept = Schema.decodeUnknownOption(Kept)
const isJson = Schema.is(Schema.Json)

/** The fields that a schema names, and those of the elements of its lists. */
interface KnownFields {
  readonly fields: ReadonlyMap<string, KnownFields>
  readonly elements: KnownFields | undefined
}

const membersOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  SchemaAST.isUnion(ast) ? ast.types.flatMap(membersOf) : [ast]

const knownOf = (types: ReadonlyArray<SchemaAST.AST>): KnownFields => {
  const members = types.flatMap(membersOf)
  const signatures = members.filter(SchemaAST.isObjects).flatMap(({ propertySignatures }) => propertySignatures)
  const elements = members.filter(SchemaAST.isArrays).flatMap(({ rest }) => rest)
  return {
    fields: new Map(signatures.map(({ name, type }) => [String(name), knownOf([type])])),
    elements: elements.length === 0 ? undefined : knownOf(elements)
  }
}

const knownBySchema = new WeakMap<Schema.Constraint, KnownFields>()

/** The fields that the schema of a source names, at every depth. They are read when a store first needs them, not at each start. */
export const knownFieldsOf = (schema: Schema.Constraint): KnownFields => {
  const known = knownBySchema.get(schema) ?? knownOf([SchemaAST.toEncoded(schema.ast)])
  knownBySchema.set(schema, known)
  return known
}

const isKept = (name: string, field: unknown, path: Path): boolean =>
  path.length === 0 && name === unknownFieldsPath && Redacted.isRedacted(field)

/**
 * A copy without unknown fields, which `found` receives; the same value if there is none. In one pass: a request may have a
 * hundred thousand.
 */
const withoutUnknown = (
  known: KnownFields,
  value: unknown,
  found: (path: Path, field: unknown, known: KnownFields) => void,
  path: Path = []
): unknown => {
  if (Array.isArray(value)) {
    const { elements } = known
    if (elements === undefined) return value
    const parts = value.map((element, index) => withoutUnknown(elements, element, found, [...path, index]))
    return parts.every((part, index) => part === value[index]) ? value : parts
  }
  if (!Predicate.isObject(value) || Redacted.isRedacted(value) || known.fields.size === 0) return value
  let isSame = true
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const below = known.fields.get(name)
    if (below === undefined && !isKept(name, field, path)) {
      found([...path, name], field, known)
      isSame = false
      return []
    }
    const part = below === undefined ? field : withoutUnknown(below, field, found, [...path, name])
    if (part !== field) isSame = false
    return [[name, part] as const]
  })
  return isSame ? value : Object.fromEntries(fields)
}

/** A secret object of a request is looked into, too. */
const opened = (known: KnownFields, value: unknown): unknown => {
  if (Redacted.isRedacted(value)) return Redacted.value(value)
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const below = known.fields.get(name)
      return [name, below === undefined ? field : opened(below, field)]
    })
  )
}

const fieldNames = (path: Path): ReadonlyArray<string> => path.filter(Predicate.isString)

// A change adds tables under a name of its own.
const storedNames: Readonly<Record<string, string>> = {
  tableMappingsToAdd: "tableMappings",
  tableMappingsToRemove: "tableMappings"
}

const identityOf = (path: Path): string => JSON.stringify(fieldNames(path).map((name) => storedNames[name] ?? name))

/**
 * Reports the unknown fields of the source of a request, but for those that the stored source has. Returns their names for
 * {@link refusal}.
 */
export const refuseUnknown = (
  found: IssueCollector,
  known: KnownFields,
  source: unknown,
  stored?: PipeSource
): ReadonlyArray<string> => {
  const sent: Array<{ readonly path: Path; readonly known: KnownFields }> = []
  withoutUnknown(known, opened(known, source), (path, _, known) => sent.push({ path, known }))
  if (sent.length === 0) return []
  const held = new Set<string>()
  const knownInCreate = knownFieldsOf(PipeSourceCreate)
  withoutUnknown(knownInCreate, opened(knownInCreate, stored), (path) => held.add(identityOf(path)))
  const refused: Array<string> = []
  for (const { known, path } of sent) {
    if (found.isFull) break
    if (held.has(identityOf(path))) continue
    const name = String(path.at(-1))
    const shown = ["source", ...path.slice(0, -1), shortName(name)]
    const isNamed = refused.length < maxIssues
    const message = isNamed ? unknownFieldMessage(name, Array.from(known.fields.keys())) : "Unknown field"
    found.report({ path: formatPath(shown), message })
    if (isNamed) refused.push(fieldNames(shown).join("."))
  }
  return refused
}

const refusals = new WeakMap<InvalidRequest, ReadonlyArray<string>>()

/** The error of a request whose issues were found. `fields`: those of {@link refuseUnknown}. */
export const refusal = (found: IssueCollector, fields: ReadonlyArray<string>): InvalidRequest => {
  const error = invalidRequest(found.issues)
  refusals.set(error, fields)
  return error
}

/**
 * The unknown fields for which an adapter refused a request, such as `source.kafka.credentails`: at most 20, without their values.
 * The program that runs the adapter counts them: a client may be newer.
 *
 * @example
 * ```ts
 * import type { InvalidRequest } from "@headgate/core"
 * import { refusedFields } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * export const logged = <A>(call: Effect.Effect<A, InvalidRequest>) =>
 *   Effect.tapError(call, (error) => Effect.logInfo("refused", refusedFields(error)))
 * ```
 */
export const refusedFields = (error: InvalidRequest): ReadonlyArray<string> => refusals.get(error) ?? []

/** The unknown fields of a source whose credentials were taken out, as {@link joinUnknown} takes them. One that is `null` is left out. */
export const splitUnknown = (source: PipeSource): { readonly source: PipeSource; readonly kept: Kept } => {
  const kept: Array<Kept[number]> = []
  const known = withoutUnknown(knownFieldsOf(PipeSourceCreate), source, (path, field) => {
    const value = Redacted.isRedacted(field) ? Redacted.value(field) : field
    if (value !== null && isJson(value)) kept.push([path, value])
  })
  if (known === source || !Predicate.isObject(known)) return { source, kept }
  // In a fixed order: a change that changes nothing must not change what is stored.
  const ordered = kept
    .map((field) => ({ field, name: JSON.stringify(field[0]) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ field }) => field)
  return { source: known, kept: ordered }
}

const ownField = (value: unknown, name: string | number): unknown =>
  Predicate.isObjectOrArray(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

// Not by assignment: that of `__proto__` sets no field.
const define = (part: object, name: string | number, value: unknown) =>
  Reflect.defineProperty(part, name, { value, configurable: true, enumerable: true, writable: true })

/**
 * Puts the fields that {@link splitUnknown} took out back in their places. A field that is there already stays, and one whose
 * place is gone is left out.
 */
const putBack = <Source extends object>(source: Source, kept: Kept): Source => {
  const copy = { ...source }
  const copied = new Set<unknown>()
  const copyOf = (parent: object, name: string | number): object | undefined => {
    const part = ownField(parent, name)
    if (!Predicate.isObjectOrArray(part) || Redacted.isRedacted(part)) return undefined
    if (copied.has(part)) return part
    const own = Array.isArray(part) ? [...part] : { ...part }
    copied.add(own)
    define(parent, name, own)
    return own
  }
  for (const [path, value] of kept) {
    const name = path.at(-1)
    let parent: object | undefined = copy
    for (const segment of path.slice(0, -1)) parent = parent && copyOf(parent, segment)
    if (name !== undefined && parent !== undefined && !Object.hasOwn(parent, name)) define(parent, name, value)
  }
  return copy
}

/** A source with its unknown fields. What is sealed, or is no list of them, stays under {@link unknownFieldsPath}. */
export const joinUnknown = <Source extends object>(source: Source, kept: Redacted.Redacted<Schema.Json>): Source =>
  Option.match(decodeKept(Redacted.value(kept)), {
    onNone: () => ({ ...source, [unknownFieldsPath]: kept }),
    onSome: (fields) => putBack(source, fields)
  })

/** Puts the unknown fields of a source that a change has replaced in part back, where `isSame` finds the place to be the same. */
export const keepUnknown = (before: PipeSource, after: PipeSource, isSame: (path: Path) => boolean): PipeSource =>
  putBack(
    after,
    splitUnknown(before).kept.filter(([path]) => isSame(path))
  )
