import { ApiKeys } from "@headgate/core"
import { makeHttpApiKeys } from "@headgate/http-adapter/ports"
import { keyOperations, neutral } from "@headgate/http-contract"
import type { ManagementClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import type { ManagementNoun } from "../Noun.ts"
import { makeManagementClient } from "../makeHttpClient.ts"
import { promisesOf } from "../promisesOf.ts"
import type { KeysClient } from "./KeysClient.ts"

/** The API keys of an organization. */
export const keys: ManagementNoun<ApiKeys, KeysClient> = {
  port: ApiKeys,
  overHttp: makeHttpApiKeys,
  methods: (run, port) => promisesOf<KeysClient>()(run, port, keyOperations(neutral))
}

/**
 * Makes a client of the API keys of an organization, and of nothing else: less code for a browser than that of
 * `@headgate/client`. Nothing is opened before the first call. Throws `InvalidRequestError` for a wrong option and names it:
 * `management.baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient } from "@headgate/client/keys"
 *
 * const { keys } = createClient({
 *   management: { baseUrl: "https://api.example.com", keyId: "my-key-id", keySecret: "hgs_..." }
 * })
 *
 * export const show = async (organizationId: string) => {
 *   console.log((await keys.create({ organizationId, name: "ci", roles: ["developer"] })).key.id)
 * }
 * ```
 */
export const createClient = (options: ManagementClientOptions): Closeable & { readonly keys: KeysClient } =>
  makeManagementClient(options, { keys })
