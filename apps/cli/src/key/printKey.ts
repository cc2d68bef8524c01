import { ApiKey } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Output from "../output/Output.ts"
import { detailText, masked } from "../output/detailText.ts"

const keyText = ({ id, name, roles, state, ...more }: ApiKey): string =>
  detailText(masked({ name, id, roles, state, ...more }))

/** Prints a key. `done`: what has happened to it. */
export const printKey = (key: ApiKey, done?: string) =>
  Output.print({ text: () => keyText(key), json: Effect.orDie(Schema.encodeEffect(ApiKey)(key)) }, done)
