import type { BeforeQuery } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Flag from "effect/cli/Flag"
import { invalidValue } from "../usage/validate.ts"

/** The flags of a list that begins with the newest. `most`: as many elements as the service answers at most. */
export const pageFlags = (most: number) => ({
  limit: Flag.Int("limit").pipe(
    Flag.withDescription(`How many to show, 1 to ${most}; ${most} by default`),
    Flag.mapEffect((limit) =>
      limit >= 1 && limit <= most
        ? Effect.succeed(limit)
        : Effect.fail(
            invalidValue({ kind: "flag", name: "limit" }, String(limit), `Expected a whole number from 1 to ${most}`)
          )
    ),
    Flag.optional
  ),
  before: Flag.String("before").pipe(
    Flag.withMetavar("position"),
    Flag.withDescription("Go on with those that are older than the one with this `position`, which --json shows"),
    Flag.optional
  )
})

interface PageInput {
  readonly limit: Option.Option<number>
  readonly before: Option.Option<string>
}

/** The query of {@link pageFlags}. */
export const pageQuery = ({ before, limit }: PageInput): BeforeQuery => ({
  ...(Option.isSome(before) ? { before: before.value } : {}),
  ...(Option.isSome(limit) ? { limit: limit.value } : {})
})

/** What tells the reader of a page how to go on. */
export const olderOnes = (position: string): string => `For older ones: --before ${position}`
