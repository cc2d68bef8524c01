import { escapeTerminalLine } from "@headgate/command-line"
import * as Effect from "effect/Effect"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"
import { isRead } from "./isRead.ts"

/** `--dry-run`: print the request that would change something instead of sending it. */
export const dryRun = GlobalFlag.Setting("dry-run")({
  flag: Flag.Boolean("dry-run").pipe(
    Flag.withDescription("Change nothing: print the request that would, as a curl command, and write no file"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  )
})

/** Ends the command with `--dry-run`, as a defect: nothing between the change and the end of the command handles it. */
export class DryRun {
  /** What is printed instead: a curl command, or a sentence. */
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Ends the command here with `--dry-run`, before it changes something on this machine. `what`: what would be done. */
export const holdBack = (what: string) =>
  Effect.flatMap(dryRun, (isDryRun) =>
    isDryRun ? Effect.die(new DryRun(`Not done because of --dry-run: ${escapeTerminalLine(what)}.`)) : Effect.void
  )

/** What `--dry-run` prints in place of a change; `undefined` without it, after the change. */
export const heldBack = <A, E, R>(change: Effect.Effect<A, E, R>): Effect.Effect<string | undefined, E, R> =>
  Effect.catchDefect(Effect.as(change, undefined), (defect) =>
    defect instanceof DryRun ? Effect.succeed(defect.text) : Effect.die(defect)
  )

// A POST, because its body is large. It reads and changes nothing.
const reading = /\/(?:schemaDiscovery|charts\/query)$/

/** Whether `--dry-run` holds back a request. What a command does only to read is sent. */
export const isHeldBack = ({ method, url }: HttpClientRequest): boolean => !isRead(method) && !reading.test(url)
