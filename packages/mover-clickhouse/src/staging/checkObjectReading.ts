import { type ClickHouse, EngineFailure, quoteIdentifier } from "@headgate/clickhouse"
import { type ObjectReference, WarehouseRefused } from "@headgate/mover"
import * as Effect from "effect/Effect"
import { warehouseFailure } from "../connection/warehouseFailure.ts"
import { knownSettings } from "../table/describeTable.ts"
import { type AddressedObject, addressed, objectFunction, redactAddress, urlOf } from "./objectFunction.ts"
import { objectSettings, recentObjectSettings } from "./objectQuery.ts"

// The engine's numbers of the errors of its rights and of its list of hosts.
const accessDenied = 497
const unacceptableUrl = 491

// The engine names its user first.
const userOf = /^(\S+): Not enough privileges/

/** What to do that the engine reads the object; `undefined` if it is not about its rights. */
const remedyOf = ({ at }: AddressedObject, { code, message }: EngineFailure): string | undefined => {
  if (code === unacceptableUrl) {
    return `add the host ${new URL(urlOf(at)).hostname} to remote_url_allow_hosts in the configuration of the warehouse`
  }
  if (code !== accessDenied) return undefined
  const [, user] = userOf.exec(message) ?? []
  const name = user === undefined || /^\w+$/.test(user) ? user : quoteIdentifier(user)
  // A table function is a temporary table. The engine names one right at a time.
  return `run GRANT CREATE TEMPORARY TABLE, ${at._tag === "Url" ? "URL" : "S3"} ON *.* TO ${name ?? "the user of the warehouse"}`
}

/**
 * Whether an engine reads an object as pipes do: its rights, its list of hosts, `headers()` and the settings. The engine plans the
 * statement, and sends no request, so the object need not be there. Fails with `WarehouseRefused` that says what to do.
 *
 * @example
 * ```ts
 * import type { ObjectReference } from "@headgate/mover"
 * import { checkObjectReading, ClickHouse } from "@headgate/mover-clickhouse"
 *
 * export const check = (object: ObjectReference) => ClickHouse.use((engine) => checkObjectReading(engine, object))
 * ```
 */
export const checkObjectReading = Effect.fn("checkObjectReading")(function* (
  engine: ClickHouse["Service"],
  reference: ObjectReference
) {
  const object = yield* addressed(reference)
  const { parameters, sql } = objectFunction(object, "a String")
  const settings = objectSettings(object, yield* knownSettings(engine, recentObjectSettings))
  yield* engine.run(`EXPLAIN SELECT * FROM ${sql} ${settings}`, parameters).pipe(
    Effect.mapError((error) => {
      const failure = new EngineFailure({ code: error.code, message: redactAddress(object, error.message) })
      const remedy = remedyOf(object, failure)
      return remedy === undefined
        ? warehouseFailure(failure)
        : new WarehouseRefused({ message: `the warehouse may not read objects: ${remedy}. ${failure.message}` })
    })
  )
})
