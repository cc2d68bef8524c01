import { type JsonSchema, type OpenApi, type Operation, operationsOf, unnamed } from "./OpenApi.ts"

const bodySchemas = ({ requestBody, responses }: Operation): ReadonlyArray<JsonSchema> =>
  [requestBody, responses["200"]].flatMap((body) => body?.content?.["application/json"]?.schema ?? [])

/** The names of the schemas that a value refers to. */
const references = (value: unknown): ReadonlyArray<string> =>
  Array.from(JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/gu), ([, name = ""]) => name)

/** What is compared of a published document: the operations that are served, their schemas, and the names of the others. */
export const extract = (published: OpenApi, ours: OpenApi): OpenApi => {
  const served = operationsOf(ours)
  const ofPath = (path: string) =>
    Object.entries(published.paths[path] ?? {}).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method,
      operation,
      isServed: served.has(unnamed(`${method.toUpperCase()} ${path}`))
    }))
  const [servedPaths = [], otherPaths = []] = [true, false].map((isServed) =>
    Object.keys(published.paths).filter((path) => ofPath(path).some((one) => one.isServed) === isServed)
  )
  const operations = servedPaths.flatMap(ofPath)
  const needed = new Set<string>()
  const need = (value: unknown): void => {
    for (const name of references(value)) {
      if (needed.has(name)) continue
      needed.add(name)
      need(published.components.schemas[name] ?? {})
    }
  }
  for (const { isServed, operation } of operations) if (isServed) need(bodySchemas(operation))
  return {
    info: published.info,
    paths: Object.fromEntries(
      servedPaths.map((path) => [
        path,
        Object.fromEntries(ofPath(path).flatMap((one) => (one.isServed ? [[one.method, one.operation]] : [])))
      ])
    ),
    components: {
      schemas: Object.fromEntries(Object.entries(published.components.schemas).filter(([name]) => needed.has(name)))
    },
    "x-other-operations": operations.flatMap(({ isServed, name }) => (isServed ? [] : [name])).toSorted(),
    "x-other-paths": [...otherPaths, ...(published["x-other-paths"] ?? [])].toSorted()
  }
}

// Of these, everything stands in one line.
const isLeaf = (value: object): boolean =>
  Object.values(value).every((part) => typeof part !== "object" || (Array.isArray(part) && part.every(isText)))
const isText = (value: unknown) => typeof value !== "object" || value === null

/** JSON with its keys sorted, and one line for each field. */
export const printed = (value: unknown, indent = ""): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const parts = value.map((part) => printed(part, inner))
    return value.every(isText) && indent.length > 2
      ? `[${parts.join(", ")}]`
      : `[\n${parts.map((part) => inner + part).join(",\n")}\n${indent}]`
  }
  const sorted = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const parts = sorted.map(([key, part]) => `${JSON.stringify(key)}: ${printed(part, inner)}`)
  if (parts.length === 0) return "{}"
  return isLeaf(value) ? `{ ${parts.join(", ")} }` : `{\n${parts.map((part) => inner + part).join(",\n")}\n${indent}}`
}
