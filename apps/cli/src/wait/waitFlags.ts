import * as Duration from "effect/Duration"
import * as Flag from "effect/cli/Flag"
import { ShortDuration } from "../settings/ShortDuration.ts"
import { validate } from "../usage/validate.ts"

/** `--wait-timeout` */
export const waitTimeout = Flag.String("wait-timeout").pipe(
  Flag.withMetavar("duration"),
  Flag.withDescription("How long to wait, such as 30s or 1h; 10m by default"),
  Flag.mapEffect(validate({ kind: "flag", name: "wait-timeout" }, ShortDuration)),
  Flag.withDefault(Duration.minutes(10))
)

/** The flags of a command that starts something and can wait for its end. */
export const waitFlags = {
  wait: Flag.Boolean("wait").pipe(
    Flag.withDescription("Wait until the change is complete; progress is shown on stderr"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  ),
  waitTimeout
}
