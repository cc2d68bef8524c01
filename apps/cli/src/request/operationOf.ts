import { type AnyOperation, dialectNames, dialects, type Operations, operations } from "@headgate/http-contract"
import * as Struct from "effect/Struct"

/** A noun of the contract: a table of its operations. */
export type Noun = keyof Operations

/** The nouns that have no command that shows one. A new noun has some, or it is named here. */
export type NounWithoutCommands = "console" | "dashboardRole"

interface Row {
  readonly noun: Noun
  readonly operation: AnyOperation
}

const all = (): ReadonlyArray<Row> =>
  dialectNames.flatMap((name) => {
    const tables = operations(dialects[name])
    return Struct.keys(tables).flatMap((noun) => Object.values(tables[noun]).map((operation) => ({ noun, operation })))
  })

const pattern = ({ path }: AnyOperation): RegExp => new RegExp(`${path.replaceAll(/:\w+/g, "[^/]+")}$`)

const rowOf = (method: string, path: string): Row | undefined =>
  all().find(({ operation }) => operation.method === method && pattern(operation).test(path))

/** The operation of the contract, in any dialect, that a request calls; the path may have a beginning of its own. */
export const operationOf = (method: string, path: string): AnyOperation | undefined => rowOf(method, path)?.operation

/** The noun of that operation. */
export const nounOf = (method: string, path: string): Noun | undefined => rowOf(method, path)?.noun
