import { ClickHouse, ClickHouseEngine } from "@headgate/mover-clickhouse"
import * as Effect from "effect/Effect"
import type { WarehouseOptions } from "../mover/Warehouses.ts"

/** Rights that read, or only show something. */
const reads = /^(?:SELECT|SHOW(?: [A-Z ]+)?|USAGE|KILL QUERY)$/u

/** A line without the columns of its rights, which stand in parentheses. */
const withoutColumns = (line: string): string => line.replaceAll(/\((?:`(?:\\.|[^`\\])*`|[^()`])*\)/gu, "")

/** What lines of `SHOW GRANTS` allow beyond reading tables; roles, whose rights those lines do not name, are among it. */
export const excessRights = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.flatMap((line) => {
    const [, granted, target, passed] = /^GRANT (.+?)(?: ON (\S+|`.*`\S*))? TO (.*)$/u.exec(withoutColumns(line)) ?? []
    if (granted === undefined || passed === undefined) return []
    if (target === undefined) return [`the rights of the role ${granted}`]
    const rights = granted.split(",").map((right) => right.trim())
    const excess = [
      ...rights.filter((right) => !reads.test(right)),
      ...(passed.endsWith("WITH GRANT OPTION")
        ? rights.filter((right) => reads.test(right)).map(() => "GRANT OPTION")
        : [])
    ]
    return excess.length === 0 ? [] : [`${excess.join(", ")} on ${target}`]
  })

type ServerWarehouse = Extract<WarehouseOptions, { readonly url: string }>

/**
 * Warns if the user of queries may do more than read. The queries of charts only read, whatever their user may: the rights are what
 * holds if that fails. A server that does not answer is no reason not to start.
 */
export const warnOfGrants = Effect.fnUntraced(
  function* (warehouse: string, options: ServerWarehouse, allowInsecureHttp: boolean) {
    const answer = yield* ClickHouse.use((engine) => engine.run("SHOW GRANTS FORMAT TSVRaw")).pipe(
      Effect.provide(ClickHouseEngine.layerServer({ ...options, allowInsecureHttp }))
    )
    const excess = excessRights(answer.split("\n"))
    if (excess.length === 0) return
    yield* Effect.logWarning(
      `the user of queries (HEADGATE_QUERY_USER) of the warehouse ${warehouse} may do more than read: ${excess.join("; ").slice(0, 500)}. Revoke it: charts need SELECT on their databases alone`
    )
  },
  (check, warehouse) =>
    Effect.catch(check, ({ message }) =>
      Effect.logWarning(`the rights of the user of queries of the warehouse ${warehouse} could not be read: ${message}`)
    )
)
