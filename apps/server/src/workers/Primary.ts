import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { StartupError, UsageError } from "../StartupError.ts"

/** What a worker wants to know of the process that supervises it. */
export type Question =
  | { readonly _tag: "Metrics" }
  | {
      readonly _tag: "Window"
      readonly key: string
      readonly tokens: number
      readonly refillMillis: number
      readonly limit: number | undefined
    }

/** From a worker to the process that supervises it. */
export type ToPrimary =
  | { readonly _tag: "Ready"; readonly url: string }
  | { readonly _tag: "Failed"; readonly message: string }
  | { readonly _tag: "FailedLogin"; readonly address: string }
  | { readonly _tag: "Ask"; readonly id: number; readonly question: Question }
  | { readonly _tag: "MetricsOfWorker"; readonly id: number; readonly text: string }

/** From the process that supervises workers to one of them. */
export type ToWorker =
  | { readonly _tag: "End" }
  | { readonly _tag: "FailedLogin"; readonly address: string }
  | { readonly _tag: "TellMetrics"; readonly id: number }
  | { readonly _tag: "Metrics"; readonly id: number; readonly text: string }
  | { readonly _tag: "Window"; readonly id: number; readonly count: number; readonly millisLeft: number }

/** Sends to a process, unless it is gone: whoever waits for an answer waits only for so long. */
export const send = (
  to: Pick<NodeJS.Process, "connected" | "send">,
  message: ToPrimary | ToWorker,
  sent: () => void = () => undefined
): void => {
  if (to.connected) to.send?.(message, undefined, undefined, sent)
  else sent()
}

/** How long the supervising process may take to answer. */
const patience = "5 seconds"

/** The process that supervises the workers did not answer. */
export class NoAnswer extends Schema.TaggedError<NoAnswer>("headgate-server/workers/NoAnswer")("NoAnswer", {
  message: Schema.String
}) {}

type Answer = Extract<ToWorker, { readonly id: number }>

/** The process that supervises this one, as a worker sees it. */
export class Primary extends Context.Service<
  Primary,
  {
    /** Ends when it is sent. */
    readonly tell: (message: ToPrimary) => Effect.Effect<void>
    readonly ask: <const Q extends Question>(
      question: Q
    ) => Effect.Effect<Extract<Answer, { readonly _tag: Q["_tag"] }>, NoAnswer>
    /** Does something for each failed login that another worker saw. */
    readonly onFailedLogin: (then: (address: string) => Effect.Effect<void>) => Effect.Effect<void>
    /** Tells the metrics of this process whenever they are asked for. */
    readonly onTellMetrics: (text: Effect.Effect<string>) => Effect.Effect<void>
    /** Ends when this process is to end. */
    readonly ended: Effect.Effect<void>
  }
>()("headgate-server/workers/Primary") {
  static readonly layer = Layer.effect(
    Primary,
    Effect.gen(function* () {
      const waiting = new Map<number, (answer: Answer) => void>()
      const onFailedLogin: Array<(address: string) => Effect.Effect<void>> = []
      const onTellMetrics: Array<Effect.Effect<string>> = []
      const end = yield* Deferred.make<void>()
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const tell = (message: ToPrimary) =>
        Effect.callback<void>((resume) => send(process, message, () => resume(Effect.void)))
      let asked = 0

      const onMessage = (message: ToWorker): void => {
        switch (message._tag) {
          case "End":
            run(Deferred.succeed(end, undefined))
            return
          case "FailedLogin":
            for (const then of onFailedLogin) run(then(message.address))
            return
          case "TellMetrics":
            for (const text of onTellMetrics) {
              run(Effect.flatMap(text, (text) => tell({ _tag: "MetricsOfWorker", id: message.id, text })))
            }
            return
          case "Metrics":
          case "Window":
            waiting.get(message.id)?.(message)
        }
      }
      yield* Effect.acquireRelease(
        Effect.sync(() => process.on("message", onMessage)),
        () => Effect.sync(() => process.off("message", onMessage))
      )

      return {
        tell,
        ask: <const Q extends Question>(question: Q) =>
          Effect.callback<Extract<Answer, { readonly _tag: Q["_tag"] }>>((resume) => {
            const id = ++asked
            // An answer has the tag of its question.
            waiting.set(id, (answer) => resume(Effect.succeed(answer as Extract<Answer, { readonly _tag: Q["_tag"] }>)))
            send(process, { _tag: "Ask", id, question })
            return Effect.sync(() => waiting.delete(id))
          }).pipe(
            Effect.timeoutOrElse({
              duration: patience,
              orElse: () => new NoAnswer({ message: "the supervising process does not answer" })
            })
          ),
        onFailedLogin: (then) => Effect.sync(() => void onFailedLogin.push(then)),
        onTellMetrics: (text) => Effect.sync(() => void onTellMetrics.push(text)),
        ended: Deferred.await(end)
      }
    })
  )
}

/** Serves until the supervising process says that it is to end. That process also says why a worker cannot start. */
export const runWorker = (serving: Effect.Effect<never, StartupError | UsageError, Primary>) =>
  Effect.gen(function* () {
    const { ended, tell } = yield* Primary
    yield* Effect.raceFirst(serving, ended).pipe(
      Effect.catch(({ message }) => tell({ _tag: "Failed", message })),
      // Its channel would keep the process alive.
      Effect.ensuring(Effect.sync(() => process.connected && process.disconnect()))
    )
  }).pipe(Effect.provide(Primary.layer))
