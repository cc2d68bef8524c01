import * as RegExp from "effect/RegExp"
import { routedPath } from "../http/requestUrl.ts"
import type { FaultRule } from "./FaultRule.ts"

const segmentSource = (segment: string): string =>
  segment.startsWith(":") && segment.length > 1 ? "[^/]+" : segment.split(/\*+/).map(RegExp.escape).join(".*")

const withoutTrailingSlash = (path: string): string =>
  path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path

/**
 * Which URLs a pattern means. `:name` stands for one segment, `*` for any text, slashes included, so that `/v1/*` is
 * every path below `/v1`; all else stands for itself. It is held against the path as the router reads it: decoded,
 * without the query and without a trailing slash.
 */
export const pathPattern = (pattern: string): ((url: string) => boolean) => {
  const source = withoutTrailingSlash(pattern).split("/").map(segmentSource).join("/")
  const matcher = new globalThis.RegExp(`^${source}$`, "su")
  return (url) => matcher.test(withoutTrailingSlash(routedPath(url)))
}

/** A rule with its name, and how often it met a request and was applied to one. */
export type CountedRule = FaultRule & { readonly id: string; readonly met: number; readonly applied: number }

/** A rule that a request got. */
export type ChosenRule = FaultRule & { readonly id: string }

/** What decides about a request. */
interface Incoming {
  readonly method: string
  readonly url: string
}

/** The rules in force. */
export interface Faults {
  readonly replace: (rules: ReadonlyArray<FaultRule>) => void
  readonly list: () => ReadonlyArray<CountedRule>
  /**
   * The rule that a request gets, if it gets one: the first in order that matches and is not used up. Counted in one
   * synchronous step, so that of requests at once exactly `times` get it. `draw` answers a number from 0 to 1.
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
    // No id that somebody gives begins like that.
    rule: { ...rule, id: rule.id ?? `#${index + 1}` },
    matches: (incoming) => (method === undefined || method === incoming.method) && isPath(incoming.url),
    met: 0,
    applied: 0
  }
}

/** Whether the rule takes a request that matches it. Each one that it meets is counted. */
const takes = (each: ArmedRule, draw: () => number): boolean => {
  const { after = 0, probability = 1, times = Number.POSITIVE_INFINITY } = each.rule.match ?? {}
  each.met++
  if (each.met <= after || each.applied >= times || (probability < 1 && draw() >= probability)) return false
  each.applied++
  return true
}

/** No rules at first. */
export const makeFaults = (): Faults => {
  let rules: ReadonlyArray<ArmedRule> = []
  return {
    replace: (next) => {
      rules = next.map(armed)
    },
    list: () => rules.map(({ applied, met, rule }) => ({ ...rule, met, applied })),
    choose: (incoming, draw) => rules.find((each) => each.matches(incoming) && takes(each, draw))?.rule
  }
}
