import type { PortError } from "@headgate/core"
import { type AnyOperation, type PortMethod, takesAddress } from "@headgate/http-contract"
import type * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import type { Handlers, OperationRequest } from "./operationRoutes.ts"

/** The operations of a noun, by name. */
export interface Rows {
  readonly [name: string]: AnyOperation
}

/** A port with the method of each row. */
type Port<Table extends Rows, Given> = {
  readonly [Name in keyof Table]: (
    ...args: Parameters<PortMethod<Table[Name], Given>>
  ) => Effect.Effect<Table[Name]["success"]["Type"], PortError>
}

/**
 * The handlers of a noun's table: each row calls the method of its name on the port that the request is for. `given` has the
 * names of the params that this port is made for. A port without the method of a row does not compile; what a handler does in
 * another way is a handler beside them.
 */
export const handlersOf = <Table extends Rows, Given extends object = {}>(
  table: Table,
  portOf: (request: OperationRequest<Table[keyof Table]["params"]["Type"], unknown>) => Port<Table, Given>,
  given?: Given
): Handlers<Table> => {
  const handlers = Record.map<string, AnyOperation, unknown>(table, (row, name) => {
    const hasAddress = takesAddress(row, given)
    return (request: OperationRequest<any, any>) => {
      const methods: { readonly [name: string]: (...args: Array<any>) => unknown } = portOf(request)
      return hasAddress ? methods[name]?.(request.params, request.payload) : methods[name]?.(request.payload)
    }
  })
  // `Port` has a method for each row, which takes what the row has.
  return handlers as Handlers<Table>
}
