import { WarehouseRefused } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { ClickHouse } from "../connection/ClickHouse.ts"
import { warehouseFailure } from "../connection/EngineFailure.ts"
import { knownSettings } from "../table/describeTable.ts"
import { objectFunction } from "./objectFunction.ts"
import { objectSettings, recentObjectSettings } from "./objectQuery.ts"

// The engine's numbers of the errors of its rights and of its list of hosts.
const accessDenied = 497
const unacceptableUrl = 491

const remedies: Readonly<Record<number, string>> = {
  [accessDenied]: "run GRANT URL ON *.* TO the user of the warehouse",
  [unacceptableUrl]: "add the host to remote_url_allow_hosts in the configuration of the warehouse"
}

/**
 * Whether an engine reads objects of a host as pipes do: its rights, its list of hosts, `headers()` and the settings. The engine plans
 * the statement, and sends no request. Fails with `WarehouseRefused` that says what to do.
 *
 * @example
 * ```ts
 * import { checkObjectReading, ClickHouse } from "@headgate/mover-clickhouse"
 *
 * export const check = ClickHouse.use((engine) => checkObjectReading(engine, "https://storage.example.com/bucket"))
 * ```
 */
export const checkObjectReading = Effect.fn("checkObjectReading")(function* (
  engine: ClickHouse["Service"],
  url: string
) {
  const at = {
    _tag: "Url",
    url: Redacted.make(new URL("a", url).href),
    headers: { Host: "a", "If-Match": '"a"' },
    isSigned: true
  } as const
  const object = { key: "a", format: "JSONEachRow", compression: "none", address: Effect.succeed(at), at } as const
  const { parameters, sql } = objectFunction(object, "a String")
  const settings = objectSettings(object, yield* knownSettings(engine, recentObjectSettings))
  yield* engine.run(`EXPLAIN SELECT * FROM ${sql} ${settings}`, parameters).pipe(
    Effect.mapError((failure) => {
      const remedy = failure.code === undefined ? undefined : remedies[failure.code]
      return remedy === undefined
        ? warehouseFailure(failure)
        : new WarehouseRefused({
            message: `the warehouse may not read objects by url(): ${remedy}. ${failure.message}`
          })
    })
  )
})
