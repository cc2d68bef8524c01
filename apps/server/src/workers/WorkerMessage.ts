import * as Effect from "effect/Effect"
import type { EventEmitter } from "node:events"

/** The messages between the supervisor and a worker, over the IPC channel of `node:cluster`. */
export type WorkerMessage =
  /** From a worker: it takes requests at `url`. */
  | { readonly _tag: "Ready"; readonly url: string }
  /** From a worker: it cannot start. */
  | { readonly _tag: "Failed"; readonly message: string }
  /** To a worker: shut down. */
  | { readonly _tag: "End" }
  /** To a worker: send your own metrics. From a worker: send those of all workers. */
  | { readonly _tag: "MetricsRequest" }
  /** The answer to `MetricsRequest`, in the Prometheus text format. */
  | { readonly _tag: "Metrics"; readonly text: string }

/** The other end of a channel: `process` in a worker, `worker.process` in the supervisor. */
export type Peer = EventEmitter & Pick<NodeJS.Process, "connected" | "send">

/** Sends a message, and calls `sent` when it is written. Does nothing if the other process is gone. */
export const send = (peer: Peer, message: WorkerMessage, sent: () => void = () => undefined): void => {
  if (peer.connected) peer.send?.(message, undefined, undefined, sent)
  else sent()
}

/** Requests metrics and waits for the next answer. Fails with `TimeoutError` after `timeout`. */
export const requestMetrics = (peer: Peer, timeout: "1 second" | "5 seconds") =>
  Effect.callback<string>((resume) => {
    const stop = () => void peer.off("message", onMessage)
    const onMessage = (message: WorkerMessage) => {
      if (message._tag !== "Metrics") return
      stop()
      resume(Effect.succeed(message.text))
    }
    peer.on("message", onMessage)
    send(peer, { _tag: "MetricsRequest" })
    return Effect.sync(stop)
  }).pipe(Effect.timeout(timeout))
