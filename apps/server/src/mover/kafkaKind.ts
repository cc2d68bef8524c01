import { KafkaSource, kafkaOptionsOf } from "@headgate/mover-kafka"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AllowedSources } from "./allowedSources.ts"
import { type RangesKind, readLogin, type ReadSource, SourceRefused } from "./SourceKind.ts"

const hostOf = (broker: string): string => broker.replace(/:\d+$/u, "")

const optionsOf = Effect.fnUntraced(function* (
  { credentials, fields, settings, source }: ReadSource,
  { refusal, resolve }: AllowedSources
) {
  const login = yield* readLogin(credentials, "kafka.credentials")
  const isReadCommitted = settings.kafka_read_committed === true
  const options = yield* kafkaOptionsOf(source.kafka ?? {}, { ...login, fields, isReadCommitted }).pipe(
    Effect.mapError(({ field, message }) => new SourceRefused({ path: `source.kafka.${field}`, message }))
  )
  for (const broker of options.brokers) {
    const message = refusal(hostOf(broker))
    if (message !== undefined) return yield* new SourceRefused({ path: "source.kafka.brokers", message })
  }
  return { ...options, resolve }
})

/** Topics of Kafka. */
export const kafkaKind: RangesKind = {
  sample: {
    fromStart: (read) => ({
      ...read,
      fields: [],
      source: { ...read.source, kafka: { ...read.source.kafka, offset: null, consumerGroup: null } }
    })
  },
  check: (read, allowed) => Effect.asVoid(optionsOf(read, allowed)),
  probe: Effect.fnUntraced(function* (_, read, allowed) {
    const source = yield* KafkaSource.make(yield* optionsOf(read, allowed))
    yield* source.identity
    return []
  }, Effect.scoped),
  layer: (read, allowed) => Layer.unwrap(Effect.map(optionsOf(read, allowed), KafkaSource.layer))
}
