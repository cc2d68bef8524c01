import * as Flag from "effect/cli/Flag"

export const jsonFlag = Flag.Boolean("json").pipe(
  Flag.withDescription("Print JSON with every field, as on the wire"),
  Flag.withDefault(false)
)
