import { type RangesConnector, readLogin, type SourceConfig, SourceRefused } from "@headgate/mover"
import * as Effect from "effect/Effect"
import { kafkaOptionsOf } from "../options/KafkaOptions.ts"
import { KafkaSource } from "./KafkaSource.ts"

const hostOf = (broker: string): string => broker.replace(/:\d+$/u, "")

const optionsOf = Effect.fnUntraced(function* ({ allowed, credentials, fields, settings, source }: SourceConfig) {
  const login = yield* readLogin(credentials, "kafka.credentials")
  const isReadCommitted = settings.kafka_read_committed === true
  const options = yield* kafkaOptionsOf(source.kafka ?? {}, { ...login, fields, isReadCommitted })
  for (const broker of options.brokers) {
    const message = allowed.refusal(hostOf(broker))
    if (message !== undefined) return yield* new SourceRefused({ path: "source.kafka.brokers", message })
  }
  return { ...options, resolve: allowed.resolve }
})

/** Topics of Kafka. */
export const kafkaConnector: RangesConnector = {
  _tag: "Ranges",
  configure: Effect.fnUntraced(function* (config) {
    const options = yield* optionsOf(config)
    const { group: _, ...ungrouped } = options
    return {
      _tag: "Ranges",
      layer: KafkaSource.layer(options),
      probe: KafkaSource.make(options).pipe(
        Effect.flatMap(({ identity }) => identity),
        Effect.as([]),
        Effect.scoped
      ),
      // Its own fields alone, from the first message, and nothing is committed to the group of the pipe.
      sample: { _tag: "Rows", layer: KafkaSource.layer({ ...ungrouped, start: "earliest", virtualColumns: [] }) }
    }
  })
}
