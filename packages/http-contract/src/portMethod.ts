import type { CallError } from "@headgate/core"
import type { NotFound } from "@headgate/core/adapter"
import type * as Effect from "effect/Effect"
import type { AnyOperation } from "./Operation.ts"

type Arguments<Params, Payload> = [
  ...({} extends Params ? [] : [address: Params]),
  ...([Payload] extends [undefined] ? [] : [request: Payload])
]

/** The tag of the error of a row for a 404; `Otherwise` if it has none. */
export type Missing<Row extends AnyOperation, Otherwise = never> = "notFound" extends keyof Row
  ? NonNullable<Row["notFound"]>
  : Otherwise

/**
 * The method of a port that an operation is. It takes the params and the payload, each unless it is empty. `Given` are the
 * params that the port is made for, as `BelowService(Dashboards).of(address)`.
 *
 * @example
 * ```ts
 * import { type Dashboard, DashboardId } from "@headgate/core"
 * import type { dashboardOperations, PortMethod } from "@headgate/http-contract"
 * import * as Effect from "effect/Effect"
 *
 * declare const found: Dashboard
 * type Get = PortMethod<ReturnType<typeof dashboardOperations>["get"]>
 * const get: Get = ({ dashboardId }) => Effect.succeed({ ...found, id: dashboardId })
 *
 * export const first = get({ dashboardId: DashboardId.make("d-1") })
 * ```
 */
export type PortMethod<Row extends AnyOperation, Given = {}> = (
  ...args: Arguments<Omit<Row["params"]["Type"], keyof Given>, Row["payload"]["Type"]>
) => Effect.Effect<Row["success"]["Type"], CallError | Extract<NotFound, { readonly _tag: Missing<Row> }>>

/**
 * Whether the method of an operation takes an address: whether its path has params that are not among the given ones.
 *
 * @example
 * ```ts
 * import { dashboardOperations, neutral, takesAddress } from "@headgate/http-contract"
 *
 * const { get, list } = dashboardOperations(neutral)
 * console.log(takesAddress(get), takesAddress(list)) // true false
 * ```
 */
export const takesAddress = ({ path }: Pick<AnyOperation, "path">, given: object = {}): boolean =>
  Array.from(path.matchAll(/:(\w+)/g)).some(([, name = ""]) => !Object.hasOwn(given, name))
