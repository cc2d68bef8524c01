import { Pipes } from "@headgate/core"
import { makeHttpPipes } from "@headgate/http-adapter/ports"
import { neutral, pipeOperations } from "@headgate/http-contract"
import type { ManagementClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import type { ManagementNoun } from "../Noun.ts"
import { makeManagementClient } from "../makeHttpClient.ts"
import { promisesOf } from "../promisesOf.ts"
import type { PipesClient } from "./PipesClient.ts"
import { waitFor } from "./waitFor.ts"

/** The pipes of a service. */
export const pipes: ManagementNoun<Pipes, PipesClient> = {
  port: Pipes,
  overHttp: makeHttpPipes,
  methods: (run, port) => {
    const methods = promisesOf<PipesClient>()(run, port, pipeOperations(neutral))
    return { ...methods, waitFor: (address, state, options = {}) => waitFor(methods.get, address, state, options) }
  }
}

/**
 * Makes a client of the pipes of a service, and of nothing else: less code for a browser than that of `@headgate/client`.
 * Nothing is opened before the first call. Throws `InvalidRequestError` for a wrong option and names it:
 * `management.baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient } from "@headgate/client/pipes"
 *
 * const { pipes } = createClient({
 *   management: { baseUrl: "https://api.example.com", keyId: "my-key-id", keySecret: "hgs_..." }
 * })
 *
 * export const show = async (organizationId: string, serviceId: string, pipeId: string) => {
 *   console.log((await pipes.get({ organizationId, serviceId, pipeId })).state)
 * }
 * ```
 */
export const createClient = (options: ManagementClientOptions): Closeable & { readonly pipes: PipesClient } =>
  makeManagementClient(options, { pipes })
