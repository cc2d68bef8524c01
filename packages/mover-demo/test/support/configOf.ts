import { noPipe, type SourceConfig } from "@headgate/mover"
import * as Effect from "effect/Effect"

/** What a pipe from the demo's broker is configured with, changed in some fields of its source. */
export const configOf = (change: object): SourceConfig => ({
  pipeId: noPipe,
  source: { kafka: { type: "kafka", format: "JSONEachRow", brokers: "demo:9092", topics: "clicks", ...change } },
  credentials: {},
  settings: {},
  fields: [],
  allowed: { refusal: () => undefined, resolve: Effect.succeed, trustedStorages: [] }
})
