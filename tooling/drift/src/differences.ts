import * as Arr from "effect/Array"
import { factsOf, type Fact, parentOf } from "./facts.ts"
import { boundNames, type JsonSchema, type OpenApi, type Operation, operationsOf, unnamed } from "./OpenApi.ts"

type Side = "lacks" | "adds"
type Paths = ReadonlyMap<string, ReadonlyArray<Fact>>

/** One body of an operation in both documents. */
interface Compared {
  /** Such as `POST /v1/organizations/{}/keys request`. */
  readonly body: string
  readonly isRequest: boolean
  readonly published: Paths
  readonly ours: Paths
}

/** A difference at one place of one body. */
interface Found {
  /** Such as `lacks ClickPipeKafkaSource.format enum "Avro"`. */
  readonly text: string
  readonly body: string
  readonly path: string
  /** The field that must be there for it. */
  readonly within: string
  /** Whether it is the field that one side does not have. */
  readonly isWhole: boolean
}

const isEnum = ({ says }: Fact) => says.startsWith("enum ")
const isStrict = (says: string) => ["required", "integer", ...boundNames].includes(says.split(" ")[0] ?? "")

/** Whether all that is said of a path hangs on it: it is a field, or the object of one member of a union. */
const isWhole = ({ path, says }: Fact) => says === "field" || (says === "type object" && path.endsWith(")"))

/** Without the values of a field for which the other side has none: that there are some is one fact. */
const withValues = (facts: ReadonlyArray<Fact>, there: ReadonlyArray<Fact>): ReadonlyArray<Fact> => {
  const [first] = facts.filter(isEnum)
  return first === undefined || there.some(isEnum)
    ? facts
    : [...facts.filter((fact) => !isEnum(fact)), { ...first, says: "a list of values" }]
}

/** What one side says and the other does not. Of a field that the other has not, only that. */
const beyond = (side: Paths, other: Paths): ReadonlyArray<Fact> =>
  Array.from(side).flatMap(([path, facts]) => {
    const there = other.get(path)
    // The path of the body itself is empty.
    if (there === undefined)
      return path === "" ? facts.slice(0, 1) : other.has(parentOf(path)) ? facts.filter(isWhole) : []
    return withValues(facts, there).filter(({ says }) => !there.some((fact) => fact.says === says))
  })

// Clients read answers with tolerance: a bound there says nothing, nor does a value that never comes.
const matters = (isRequest: boolean, side: Side, { says }: Fact): boolean => {
  if (says === "type null") return isRequest && side === "lacks"
  return isRequest || (!isStrict(says) && !(says === "a list of values" && side === "lacks"))
}

/** A field of ours by the published schema in which it is or would be, and that schema's field that must be there for it. */
const named = (published: Paths, path: string): { readonly field: string; readonly within: string } => {
  const [own] = published.get(path) ?? []
  if (own !== undefined) return { field: own.field, within: own.field }
  const parent = parentOf(path)
  const above = published.get(parent) ?? []
  const within = (above.find(({ says }) => says === "type object") ?? above[0])?.field ?? ""
  return { field: `${within}.${path.slice(parent.length).replace(".", "")}`, within }
}

// The field of a resource is the same alone and in a list.
const inResource = (path: string) => path.replace(/^(?:result|data)(?:\[\])?\.?/u, "")

/** How many places of the bodies have a field of a published schema, also by the path, where ours has the field too. */
const placesOf = (bodies: ReadonlyArray<Compared>, hasPlace: (ours: Paths, path: string) => boolean) => {
  const keys = bodies.flatMap(({ ours, published }) =>
    Array.from(published).flatMap(([path, facts]) => {
      const fields = hasPlace(ours, path) ? Array.from(new Set(facts.map(({ field }) => field))) : []
      return fields.flatMap((field) => [field, `${field} ${inResource(path)}`])
    })
  )
  return new Map(Object.entries(Arr.groupBy(keys, (key) => key)))
}

const foundIn = (bodies: ReadonlyArray<Compared>): ReadonlyArray<Found> =>
  bodies.flatMap(({ body, isRequest, ours, published }) => [
    ...beyond(published, ours)
      .filter((fact) => matters(isRequest, "lacks", fact))
      .map((fact) => ({
        text: `lacks ${fact.field} ${fact.says}`,
        body,
        path: fact.path,
        within: fact.field,
        isWhole: isWhole(fact)
      })),
    ...beyond(ours, published)
      .filter((fact) => matters(isRequest, "adds", fact))
      .map((fact) => {
        const { field, within } = named(published, fact.path)
        return { text: `adds ${field} ${fact.says}`, body, path: fact.path, within, isWhole: isWhole(fact) }
      })
  ])

/** Each difference once if every place of its field has it, otherwise with each path or, last, each body that has it. */
const summed = (bodies: ReadonlyArray<Compared>): ReadonlyArray<string> => {
  const whole = placesOf(bodies, (ours, path) => ours.has(path) || ours.has(parentOf(path)))
  const present = placesOf(bodies, (ours, path) => ours.has(path))
  return Object.entries(Arr.groupBy(foundIn(bodies), ({ text }) => text)).flatMap(([text, found]) => {
    const isEverywhere = (some: ReadonlyArray<Found>, path: string) =>
      some.every((one) => {
        const places = new Set(some.map((other) => `${other.body} ${other.path}`)).size
        return ((one.isWhole ? whole : present).get(`${one.within}${path}`)?.length ?? 0) <= places
      })
    if (isEverywhere(found, "")) return [text]
    return Object.entries(Arr.groupBy(found, ({ path }) => inResource(path))).flatMap(([path, some]) =>
      isEverywhere(some, ` ${path}`)
        ? [`${text} in ${path}`]
        : some.map((one) => `${text} in ${one.body}${one.path === "" ? "" : ` ${one.path}`}`)
    )
  })
}

const bodyOf = (body: Operation["requestBody"]) => body?.content?.["application/json"]?.schema

/** The query and the headers of an operation as an object. A path parameter is a part of the path. */
const parametersOf = ({ parameters = [] }: Operation): JsonSchema => {
  const sent = parameters.filter((parameter) => parameter.in !== "path")
  return {
    type: "object",
    properties: Object.fromEntries(sent.map(({ name, schema }) => [name, schema])),
    required: sent.filter(({ required }) => required === true).map(({ name }) => name)
  }
}

const parts: Readonly<Record<string, (of: Operation) => JsonSchema | undefined>> = {
  parameter: parametersOf,
  request: ({ requestBody }) => bodyOf(requestBody),
  response: ({ responses }) => bodyOf(responses["200"])
}

const byPath = (facts: ReadonlyArray<Fact>): Paths => new Map(Object.entries(Arr.groupBy(facts, ({ path }) => path)))

/**
 * How our document differs from a published document: what ours lacks and, in the operations of the published one, adds. An
 * operation that we serve and of which the published document has only the name is `adds`: its facts are not extracted yet.
 * `ruled` adds to the facts of a request of ours what the document does not have.
 */
export const differences = (
  published: OpenApi,
  ours: OpenApi,
  ruled: (operation: string, facts: ReadonlyArray<Fact>) => ReadonlyArray<Fact> = (_, facts) => facts
): ReadonlyArray<string> => {
  const served = operationsOf(ours)
  const described = operationsOf(published)
  const other = (published["x-other-operations"] ?? []).map(unnamed)
  const unserved = [...described.keys(), ...other].filter((name) => !served.has(name)).map((name) => `lacks ${name}`)
  const paths = Object.keys(ours.paths).map(unnamed)
  const undescribed = [
    ...other.filter((name) => served.has(name)),
    ...(published["x-other-paths"] ?? []).filter((path) => paths.includes(unnamed(path)))
  ].map((name) => `adds ${name}`)
  const bodies = Array.from(described).flatMap(([name, theirs]) => {
    const operation = served.get(name)
    if (operation === undefined) return []
    return Object.entries(parts).map(([part, schemaOf]): Compared => {
      const body = `${name} ${part}`
      const facts = (document: OpenApi, schema: JsonSchema | undefined) =>
        schema === undefined ? [] : factsOf(document, schema, body)
      const own = facts(ours, schemaOf(operation))
      return {
        body,
        isRequest: part !== "response",
        published: byPath(facts(published, schemaOf(theirs))),
        ours: byPath(part === "request" ? ruled(name, own) : own)
      }
    })
  })
  const [requests, responses] = [true, false].map((isRequest) => bodies.filter((body) => body.isRequest === isRequest))
  const found = [requests ?? [], responses ?? []].flatMap(summed)
  return Array.from(new Set([...unserved, ...undescribed, ...found])).toSorted()
}
