import { startKafka } from "@headgate/harness/KafkaBroker"
import { kafkaRequest } from "@headgate/harness/pipeRequests"
import { ProduceAcks, Producer } from "@platformatic/kafka"
import * as Effect from "effect/Effect"
import { makeTopic } from "../../../../packages/mover-kafka/test/support/topics.ts"
import type { MovedSource, Query } from "./MovedSource.ts"

const partitions = 4
const parts = 12
const rowsEach = 2000

/** A Kafka, and for each round a topic: `count = uniqExact = produced`. It ends with the scope. */
export const kafka = Effect.gen(function* () {
  const broker = yield* startKafka()
  const options = { clientId: "trial", bootstrapBrokers: [broker.plain], retries: 20 }
  const producer = yield* Effect.acquireRelease(
    // A request that is sent again must not double its messages.
    Effect.sync(() => new Producer({ ...options, acks: ProduceAcks.ALL, idempotent: true })),
    (producer) => Effect.promise(() => producer.close(true))
  )
  const source: MovedSource = {
    begin: async (random, round) => {
      const topic = await Effect.runPromise(makeTopic(broker, { name: `round-${round}`, partitions }))
      let produced = 0
      const arrived = async (query: Query, database: string) => Number(await query(`SELECT count() FROM ${database}.t`))
      return {
        parts,
        rows: () => produced,
        request: (database) => kafkaRequest(broker.plain, topic, database),
        produce: async () => {
          const messages = Array.from({ length: rowsEach }, (_, index) => ({
            topic,
            partition: random.between(0, partitions - 1),
            value: Buffer.from(`{"n":${produced + index},"text":"row ${produced + index}"}`)
          }))
          await producer.send({ messages })
          produced += rowsEach
        },
        arrived,
        isComplete: async (query, database) => (await arrived(query, database)) >= produced,
        faults: async (query, database) => {
          const [count, unique] = (await query(`SELECT count(), uniqExact(n) FROM ${database}.t`)).trim().split("\t")
          const bad = (await query(`SELECT count() FROM ${database}.t_pipe_errors`)).trim()
          return [
            ...(Number(unique) === produced ? [] : [`${produced - Number(unique)} of ${produced} rows lost`]),
            ...(count === unique ? [] : [`${Number(count) - Number(unique)} rows doubled`]),
            ...(bad === "0" ? [] : [`${bad} good rows are in the error table`])
          ]
        }
      }
    }
  }
  return source
})
