import type { OrganizationId, Snapshot } from "@headgate/core"
import type * as Layer from "effect/Layer"

/**
 * The adapter under test: the parameter of every suite of laws. `Ports` are the ports that the suite needs.
 *
 * @example
 * ```ts
 * import { type LawsOptions, suites } from "@headgate/conformance"
 * import type { ApiKeys, Pipes } from "@headgate/core"
 * import { MemoryAdapter } from "@headgate/memory-adapter"
 *
 * const memory: LawsOptions<ApiKeys | Pipes> = {
 *   name: "memory",
 *   layer: (snapshot) => MemoryAdapter.layer({ snapshot })
 * }
 *
 * // Each suite takes them. `portLaws` runs all that need only these ports.
 * export const laws = () => {
 *   suites.pipesLaws.run(memory)
 *   suites.apiKeysLaws.run(memory)
 * }
 * ```
 */
export interface LawsOptions<Ports> {
  /** The name of the adapter in the report. */
  readonly name: string
  /**
   * The adapter over a store that holds this snapshot and nothing else. It is called for each law, so that a law does
   * not see what another one wrote. If building the layer fails, the law fails with that error.
   *
   * `Pipes` and `ApiKeys` act for the organization acme, as `fixtureCredentials.keys.admin` does; `Dashboards` acts for
   * `organizationId`, as `fixtureCredentials.tokens` of acme or globex do. The other ports act for every organization.
   */
  readonly layer: (snapshot: Snapshot, organizationId: OrganizationId) => Layer.Layer<Ports, unknown>
}
