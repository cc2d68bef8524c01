import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { checked } from "../usage/checked.ts"
import { ShortDuration } from "./ShortDuration.ts"

/** `--timeout`: how long a command may wait for its answer in all, retries included. */
export const timeout = GlobalFlag.Setting("timeout")({
  flag: Flag.String("timeout").pipe(
    Flag.withMetavar("duration"),
    Flag.withDescription("Give up after this long in all, such as 30s or 5m"),
    Flag.mapEffect(checked({ kind: "flag", name: "timeout" }, ShortDuration)),
    Flag.optional
  )
})

/** `--max-retries`: how often a request that failed in passing is sent again. */
export const maxRetries = GlobalFlag.Setting("max-retries")({
  flag: Flag.Int("max-retries").pipe(
    Flag.withMetavar("count"),
    Flag.withDescription("Repeat a request that failed in passing this often, 2 times by default"),
    Flag.filter(
      (count) => count >= 0,
      (count) => `Invalid value for flag --max-retries: "${count}". Expected 0 or more`
    ),
    Flag.optional
  )
})

/** `--allow-insecure-http`: send credentials over plain http to hosts other than this one. */
export const allowInsecureHttp = GlobalFlag.Setting("allow-insecure-http")({
  flag: Flag.Boolean("allow-insecure-http").pipe(
    Flag.withDescription("Send credentials over plain http to other hosts too"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  )
})
