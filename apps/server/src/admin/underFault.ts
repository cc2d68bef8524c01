import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Handled } from "../http/Handled.ts"
import { faultAnswer } from "./faultAnswer.ts"
import { delayDuration } from "./FaultRule.ts"
import type { ChosenRule } from "./Faults.ts"

/** Waits, and sees to it that the server's own patience with a silent connection does not end before. */
const held = Effect.fnUntraced(function* (delay: number | string | undefined) {
  const duration = delayDuration(delay)
  if (Duration.isZero(duration)) return
  const { socket } = NodeHttpServerRequest.toIncomingMessage(yield* HttpServerRequest)
  const patience = socket.timeout ?? 0
  yield* Effect.acquireUseRelease(
    Effect.sync(() => socket.setTimeout(0)),
    // A client that gives up ends it, though what stands around the routes is not interrupted otherwise.
    () => Effect.interruptible(Effect.sleep(duration)),
    () => Effect.sync(() => socket.setTimeout(patience))
  )
})

/** What is told of an answer that was never made: the number under which servers log a connection closed without one. */
const noAnswer = HttpServerResponse.empty({ status: 444 })

/**
 * Does what was asked for under a fault: holds it, answers something else, or loses it. What the fault does to the
 * answer on its way out, `sendBroken` does.
 */
export const underFault = (rule: ChosenRule, httpEffect: Handled): Handled =>
  Effect.gen(function* () {
    yield* held(rule.delay)
    if (rule.drop === "before") return noAnswer
    const skipped = rule.status !== undefined && rule.handled !== true
    const outcome = skipped ? Exit.succeed(noAnswer) : yield* Effect.exit(httpEffect)
    if (Exit.hasInterrupts(outcome)) return yield* outcome
    yield* held(rule.delayAnswer)
    return yield* rule.status === undefined ? outcome : faultAnswer(rule, rule.status)
  })
