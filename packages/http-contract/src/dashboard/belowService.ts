import { ServiceAddress } from "@headgate/core"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { Dialect } from "../Dialect.ts"
import type { AnyOperation, Operation } from "../Operation.ts"
import type { Missing } from "../portMethod.ts"

interface Rows {
  readonly [name: string]: AnyOperation
}

type BelowService<Table extends Rows> = {
  readonly [Name in keyof Table]: Operation<
    Table[Name]["params"]["Type"] & ServiceAddress,
    Table[Name]["payload"]["Type"],
    Table[Name]["success"]["Type"],
    Missing<Table[Name], "ServiceNotFound">
  > & { readonly api: "management"; readonly method: Table[Name]["method"] }
}

/**
 * The table of the same operations on the same documents in the management API, below each service of the organization, made
 * from a table of `/api/v2`.
 *
 * @example
 * ```ts
 * import { alertOperations, belowService, neutral } from "@headgate/http-contract"
 *
 * console.log(belowService(alertOperations(neutral), neutral).get.path)
 * // /v1/organizations/:organizationId/services/:serviceId/dbstack/alerts/:alertId
 * ```
 */
export const belowService = <Table extends Rows>(table: Table, { stackSegment }: Dialect): BelowService<Table> => {
  const service = `/v1/organizations/:organizationId/services/:serviceId/${stackSegment}`
  const rows = Record.map<string, AnyOperation, AnyOperation>(table, (row) => {
    // The parameters of every path are a struct.
    const { fields } = row.params as unknown as Schema.Struct<Record<string, typeof Schema.String>>
    return {
      ...Struct.omit(row, ["envelope", "errorField", "notFoundMessage"]),
      api: "management",
      path: `/${row.path.replace("/api/v2", service).slice(1)}`,
      params: Schema.Struct({ ...ServiceAddress.fields, ...fields }),
      // A change needs a service that runs. A POST that may be repeated only validates.
      errors:
        row.method === "GET" || (row.method === "POST" && row.isRepeatable)
          ? row.errors
          : [...row.errors, "FAILED_DEPENDENCY"],
      notFound: row.notFound ?? "ServiceNotFound"
    }
  })
  // The same names, each with what is different here.
  return rows as unknown as BelowService<Table>
}
