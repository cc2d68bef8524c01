import { columns as table, escapeTerminalLine } from "@headgate/command-line"
import { type PipeCreate, PipeSource, Pipes, type ServiceAddress } from "@headgate/core"
import * as Effect from "effect/Effect"
import { UsageError } from "../error/CommandError.ts"
import * as Output from "../output/Output.ts"

const refuse = (message: string) => Effect.fail(new UsageError({ message: `--infer: ${message}` }))

/** The sources that have no columns of their own. */
const kinds: ReadonlySet<string> = new Set(["kafka", "kinesis", "objectStorage", "pubsub"])

/** The names in the keys of a table, which are SQL expressions. */
const namesInKeys = ({ destination }: PipeCreate): ReadonlySet<string> => {
  const { partitionBy, primaryKey, sortingKey } = destination?.tableDefinition ?? {}
  const keys = [...(sortingKey ?? []), primaryKey ?? "", partitionBy ?? ""]
  return new Set(keys.flatMap((key) => [key, ...key.split(/[^\p{L}\p{N}_.]+/u)]))
}

/** Adds the columns that the source of a new pipe asks for, and prints them. */
export const inferColumns = Effect.fnUntraced(function* (address: ServiceAddress, request: PipeCreate) {
  const kind = PipeSource.kind(request.source)
  if (!kinds.has(kind)) {
    return yield* refuse(`${kind} has columns of its own, which the pipe copies. Leave it out.`)
  }
  if ((request.destination?.columns ?? []).length > 0) {
    return yield* refuse("the document has destination.columns. Leave one of the two out.")
  }
  const pipes = yield* Pipes
  const { fields } = yield* pipes.discoverSchema(address, { source: request.source })
  const columns = (fields ?? []).flatMap(({ name, type }) =>
    typeof name === "string" && typeof type === "string" ? [{ name, type }] : []
  )
  if (columns.length === 0) return yield* refuse("the source has no fields.")
  const keys = namesInKeys(request)
  const nullable = columns.find(({ name, type }) => type.startsWith("Nullable(") && keys.has(name))
  if (nullable !== undefined) {
    return yield* refuse(
      `${nullable.name} is in a key of the table, which takes no null, and some rows lack it: it would be ${nullable.type}. Use other columns for the key, or write destination.columns yourself: \`headgate pipe discover\` shows them.`
    )
  }
  const lines = table(columns.map(({ name, type }) => [escapeTerminalLine(name), escapeTerminalLine(type)]))
  yield* Output.note(
    ["The columns of the table, from the first rows of the source:", ...lines.map((line) => `  ${line}`)].join("\n")
  )
  return { ...request, destination: { ...request.destination, columns } }
})
