import * as Redacted from "effect/Redacted"
import type { Auth } from "./Auth.ts"

/** Takes credentials out of a text that came from elsewhere. */
export type Scrub = (text: string) => string

// Words of three letters stand in every text: to take them out would garble it and hide nothing.
const leastLength = 4

const without = (text: string, secret: string): string =>
  secret.length < leastLength ? text : text.replaceAll(secret, "<redacted>")

/** Takes out whatever of these credentials must not be seen. `known` may grow. */
export const scrubber =
  (known: ReadonlyArray<Auth>): Scrub =>
  (text) =>
    known
      .flatMap(({ secrets }) => secrets)
      .map(Redacted.value)
      // A secret that another one begins with goes last, or the rest of the longer one would stay.
      .toSorted((a, b) => b.length - a.length)
      .reduce(without, text)
