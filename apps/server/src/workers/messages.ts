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
