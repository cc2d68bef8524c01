import { InvalidRequest } from "@headgate/core"

/** Ends the evaluation of a query: `MemoryChartEngine` catches it, where it becomes the failure of the query. */
export const refuse = (message: string): never => {
  throw new InvalidRequest({ message, issues: [] })
}

export const notInMemory = (what: string): never => refuse(`${what} is not evaluated in memory`)
export const unknownType = (written: string): never => notInMemory(`the data type ${written}`)
