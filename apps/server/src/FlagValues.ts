import type * as Flag from "effect/cli/Flag"

type FlagValue<F> = F extends Flag.Flag<infer A> ? A : never

/** What a record of flags says once it is parsed. */
export type FlagValues<Flags extends Record<string, Flag.Flag<unknown>>> = {
  readonly [Name in keyof Flags]: FlagValue<Flags[Name]>
}
