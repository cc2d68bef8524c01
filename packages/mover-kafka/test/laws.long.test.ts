import { sourceLaws } from "@headgate/mover/laws"
import * as Effect from "effect/Effect"
import { type KafkaOptions, KafkaSource } from "../src/index.ts"
import { describeKafka } from "./support/describeKafka.ts"
import { deleteBefore, makeTopic, optionsFor, produce, recreate } from "./support/topics.ts"

describeKafka("Kafka", (kafka) => {
  const variants: ReadonlyArray<readonly [string, Partial<KafkaOptions>]> = [
    ["Kafka", {}],
    ["Kafka, committed messages", { isReadCommitted: true }],
    ["Kafka, each range fetched again", { bufferBytes: 0 }]
  ]
  for (const [name, options] of variants) {
    sourceLaws({
      name,
      make: Effect.gen(function* () {
        const broker = yield* kafka
        const topic = yield* makeTopic(broker)
        return {
          source: yield* KafkaSource.make(optionsFor(broker, topic, options)),
          append: (rows: ReadonlyArray<string>) => produce(broker, topic, rows),
          loseFirst: (rows: number) => deleteBefore(broker, topic, BigInt(rows)),
          replace: recreate(broker, topic)
        }
      })
    })
  }
})
