import type * as Context from "effect/Context"
import * as Record from "effect/Record"
import type { LawsOptions } from "./LawsOptions.ts"
import { type PortsOf, type SuiteName, suites } from "./suites.ts"

/** The suites whose ports are all among these. */
type RunnableOf<Ports> = {
  readonly [Name in SuiteName]: [PortsOf<Name>] extends [Ports] ? Name : never
}[SuiteName]

/**
 * Why an adapter leaves suites out, by the name of the suite. A suite that needs a port that the adapter does not have must be named.
 */
export type LeftOutSuites<Ports> = { readonly [Name in Exclude<SuiteName, RunnableOf<Ports>>]: string } & {
  readonly [Name in RunnableOf<Ports>]?: string
}

const runSuite = (name: SuiteName, options: LawsOptions<any>) => suites[name].run(options)

/**
 * Every suite of laws, for a whole adapter, except those that it leaves out for a reason. A suite that needs a port that the layer
 * does not give does not compile until it is named in `leftOut`; any other one runs, also one that a later version adds.
 *
 * @example
 * ```ts
 * import { adapterLaws } from "@headgate/conformance"
 * import { documentsBelowService } from "@headgate/core/adapter"
 * import { MemoryAdapter } from "@headgate/memory-adapter"
 * import * as Layer from "effect/Layer"
 *
 * export const laws = () =>
 *   adapterLaws({
 *     name: "memory",
 *     layer: (snapshot, organizationId) =>
 *       Layer.provideMerge(documentsBelowService, MemoryAdapter.layer({ snapshot, organizationId })),
 *     leftOut: {}
 *   })
 * ```
 */
export const adapterLaws = <Ports>({
  leftOut,
  ...options
}: LawsOptions<Ports> & { readonly leftOut: LeftOutSuites<Ports> }): void => {
  for (const name of Record.keys(suites)) if (!(name in leftOut)) runSuite(name, options)
}

/**
 * Every suite of laws that needs no other port than these, for an adapter of one port or a few.
 *
 * @example
 * ```ts
 * import { portLaws } from "@headgate/conformance"
 * import { Pipes } from "@headgate/core"
 * import { MemoryAdapter } from "@headgate/memory-adapter"
 *
 * export const laws = () =>
 *   portLaws([Pipes], { name: "memory", layer: (snapshot) => MemoryAdapter.layer({ snapshot }) })
 * ```
 */
export const portLaws = <Port extends Context.Key<any, any>>(
  ports: ReadonlyArray<Port>,
  options: LawsOptions<Context.Service.Identifier<Port>>
): void => {
  const has = new Set(ports.map(({ key }) => key))
  for (const name of Record.keys(suites)) {
    if (suites[name].ports.every(({ key }) => has.has(key))) runSuite(name, options)
  }
}
