import type { Dialect } from "./Dialect.ts"

/**
 * The paths of the API that have no operation here yet. A server answers them with 405: to a client, a 404 would mean that
 * the resource is gone.
 *
 * @example
 * ```ts
 * import { neutral, unservedPaths } from "@headgate/http-contract"
 *
 * console.log(unservedPaths(neutral).some((path) => path.endsWith("/dbpipes"))) // false
 * ```
 */
export const unservedPaths = (_dialect: Dialect): ReadonlyArray<`/${string}`> => []
