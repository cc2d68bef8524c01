/// <reference lib="esnext.disposable" preserve="true" />

import type { DashboardsClient } from "./dashboard/DashboardsClient.ts"
import type { KeysClient } from "./key/KeysClient.ts"
import type { PipesClient } from "./pipe/PipesClient.ts"

/** What is opened and wants to be closed: by `close()`, or by `await using`. */
export interface Closeable extends AsyncDisposable {
  /**
   * Aborts the calls under way, which reject with `ClientClosedError` as do all later ones, and lets go of what the
   * client opened. Closing twice does no harm.
   */
  close(): Promise<void>
}

/** A client of the management API. */
export interface ManagementClient extends Closeable {
  readonly pipes: PipesClient
  readonly keys: KeysClient
}

/** A client of the observability API. */
export interface ObservabilityClient extends Closeable {
  readonly dashboards: DashboardsClient
}

/**
 * A client of both APIs: what `createClient` and `createTestClient` make. Code that takes one does not know which.
 *
 * @example
 * ```ts
 * import type { HeadgateClient } from "@headgate/client"
 *
 * export const titles = async (headgate: HeadgateClient): Promise<ReadonlyArray<string>> => {
 *   const dashboards = await headgate.dashboards.list()
 *   return dashboards.map(({ name }) => name)
 * }
 * ```
 */
export interface HeadgateClient extends ManagementClient, ObservabilityClient {}

/** A client of which the compiler does not know the APIs: the nouns are there of those that it was given. */
export interface PartialClient extends Closeable {
  readonly pipes?: PipesClient
  readonly keys?: KeysClient
  readonly dashboards?: DashboardsClient
}
