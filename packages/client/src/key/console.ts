import { ConsoleSessions } from "@headgate/core/adapter"
import { makeHttpConsoleSessions } from "@headgate/http-adapter/ports"
import { consoleOperations, neutral } from "@headgate/http-contract"
import type { ManagementClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import type { ManagementNoun } from "../Noun.ts"
import { makeManagementClient } from "../makeHttpClient.ts"
import { promisesOf } from "../promisesOf.ts"
import type { ConsoleClient } from "./ConsoleClient.ts"

/** The sessions of the console. */
export const console: ManagementNoun<ConsoleSessions, ConsoleClient> = {
  port: ConsoleSessions,
  overHttp: makeHttpConsoleSessions,
  methods: (run, port) => promisesOf<ConsoleClient>()(run, port, consoleOperations(neutral))
}

/**
 * Makes a client of the sessions of the console, and of nothing else: less code for a browser than that of
 * `@headgate/client`. Nothing is opened before the first call. Throws `InvalidRequestError` for a wrong option and names it:
 * `management.baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient } from "@headgate/client/console"
 *
 * const { console: sessions } = createClient({
 *   management: { baseUrl: "https://api.example.com", keyId: "my-key-id", keySecret: "hgs_..." }
 * })
 *
 * export const show = async (organizationId: string) => {
 *   const { code } = await sessions.createCode({ organizationId })
 *   return code
 * }
 * ```
 */
export const createClient = (options: ManagementClientOptions): Closeable & { readonly console: ConsoleClient } =>
  makeManagementClient(options, { console })
