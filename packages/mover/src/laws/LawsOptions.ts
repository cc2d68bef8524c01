import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** What the laws of a port need: the name of the adapter in the report, and what makes a new one for each law. */
export interface LawsOptions<UnderTest> {
  readonly name: string
  readonly make: Effect.Effect<UnderTest, unknown, Scope.Scope>
}
