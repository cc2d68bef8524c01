import { CdcScaling } from "@headgate/core"
import { makeHttpCdcScaling } from "@headgate/http-adapter/ports"
import { cdcScalingOperations, neutral } from "@headgate/http-contract"
import type { ManagementClientOptions } from "../ClientOptions.ts"
import type { Closeable } from "../Closeable.ts"
import type { ManagementNoun } from "../Noun.ts"
import { makeManagementClient } from "../makeHttpClient.ts"
import { promisesOf } from "../promisesOf.ts"
import type { CdcScalingClient } from "./CdcScalingClient.ts"

/** The size of the replica that the database pipes of a service share. */
export const cdcScaling: ManagementNoun<CdcScaling, CdcScalingClient> = {
  port: CdcScaling,
  overHttp: makeHttpCdcScaling,
  methods: (run, port) => promisesOf<CdcScalingClient>()(run, port, cdcScalingOperations(neutral))
}

/**
 * Makes a client of the size of the replica that the database pipes of a service share, and of nothing else: less code for a
 * browser than that of `@headgate/client`. Nothing is opened before the first call. Throws `InvalidRequestError` for a wrong
 * option and names it: `management.baseUrl`.
 *
 * @example
 * ```ts
 * import { createClient } from "@headgate/client/cdcScaling"
 *
 * const { cdcScaling } = createClient({
 *   management: { baseUrl: "https://api.example.com", keyId: "my-key-id", keySecret: "hgs_..." }
 * })
 *
 * export const show = async (organizationId: string, serviceId: string) => {
 *   console.log(await cdcScaling.get({ organizationId, serviceId }))
 * }
 * ```
 */
export const createClient = (options: ManagementClientOptions): Closeable & { readonly cdcScaling: CdcScalingClient } =>
  makeManagementClient(options, { cdcScaling })
