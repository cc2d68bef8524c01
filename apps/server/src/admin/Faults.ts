import * as RegExp from "effect/RegExp"
import { routedPath } from "../http/requestUrl.ts"
import type { FaultRule } from "./FaultRule.ts"

const segmentSource = (segment: string): string =>
  segment.startsWith(":") && segment.length > 1 ? "[^/]+" : segment.split(/\*+/).map(RegExp.escape).join(".*")

const withoutTrailingSlash = (path: string): string =>
  path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path

/**
 * Whether a URL matches a pattern. `:name` matches one segment, `*` any text including slashes, so that `/v1/*` matches
 * every path below `/v1`. The pattern is compared with the routed path: decoded, without query and trailing slash.
 */
export const pathPattern = (pattern: string): ((url: string) => boolean) => {
  const source = withoutTrailingSlash(pattern).split("/").map(segmentSource).join("/")
  const matcher = new globalThis.RegExp(`^${source}$`, "su")
  return (url) => matcher.test(withoutTrailingSlash(routedPath(url)))
}

/** A rule, with the number of requests that matched it and of those that it was applied to. */
export type CountedRule = FaultRule & { readonly id: string; readonly met: number; readonly applied: number }

/** The rule that applies to a request. */
export type ChosenRule = FaultRule & { readonly id: string }

interface Incoming {
  readonly method: string
  readonly url: string
}

/** The active rules. */
export interface Faults {
  readonly replace: (rules: ReadonlyArray<FaultRule>) => void
  readonly list: () => ReadonlyArray<CountedRule>
  /**
   * The first rule that matches a request and applies to it; `undefined` if none does. One synchronous step, so that a
   * rule applies exactly `times` times to concurrent requests. `draw` returns a random number from 0 to 1.
   */
  readonly choose: (incoming: Incoming, draw: () => number) => ChosenRule | undefined
}

interface ArmedRule {
  readonly rule: ChosenRule
  readonly matches: (incoming: Incoming) => boolean
  met: number
  applied: number
}

const armed = (rule: FaultRule, index: number): ArmedRule => {
  const { method, path } = rule.match ?? {}
  const isPath = path === undefined ? () => true : pathPattern(path)
  return {
    // The pattern of given ids excludes `#`.
    rule: { ...rule, id: rule.id ?? `#${index + 1}` },
    matches: (incoming) => (method === undefined || method === incoming.method) && isPath(incoming.url),
    met: 0,
    applied: 0
  }
}

/** Whether a rule applies to a request that matches it. Counts the request. */
const applies = (each: ArmedRule, draw: () => number): boolean => {
  const { after = 0, probability = 1, times = Number.POSITIVE_INFINITY } = each.rule.match ?? {}
  each.met++
  if (each.met <= after || each.applied >= times || (probability < 1 && draw() >= probability)) return false
  each.applied++
  return true
}

export const makeFaults = (): Faults => {
  let rules: ReadonlyArray<ArmedRule> = []
  return {
    replace: (next) => {
      rules = next.map(armed)
    },
    list: () => rules.map(({ applied, met, rule }) => ({ ...rule, met, applied })),
    choose: (incoming, draw) => rules.find((each) => each.matches(incoming) && applies(each, draw))?.rule
  }
}
