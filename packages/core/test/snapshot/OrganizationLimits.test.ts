import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  exceededLimit,
  OrganizationLimits,
  type OrganizationUsage,
  organizationUsage
} from "../../src/snapshot/OrganizationLimits.ts"

it("says that deleted pipes count until they are cleaned up", () => {
  const exceeded = exceededLimit("pipes", { ...organizationUsage(0), pipes: 2 }, organizationUsage(1))
  assert.include(exceeded?.message, "1 pipes: delete one (deleted pipes count until they are cleaned up)")
})

const outcomeOf = (usage: Partial<OrganizationUsage>) =>
  Effect.gen(function* () {
    const limits = yield* OrganizationLimits
    return exceededLimit("dashboards", { ...organizationUsage(0), ...usage }, limits)?.message ?? "within"
  })

it.effect.each([
  [{ keys: 0, dashboards: 1000, documentBytes: 33_554_432 }, /^within$/],
  [{ keys: 101, dashboards: 1, documentBytes: 1 }, /^within$/],
  [{ keys: 0, dashboards: 1001, documentBytes: 1 }, /limit of 1000 dashboards: delete one, or have the limit raised$/],
  [
    { keys: 0, dashboards: 1, documentBytes: 33_554_433 },
    /33554432 bytes of documents: delete some \(deleted pipes count until they are cleaned up\)/
  ]
] as const)("a creation that makes it %o is answered as the limits say", ([usage, expected]) =>
  Effect.map(outcomeOf(usage), (outcome) => assert.match(outcome, expected))
)
