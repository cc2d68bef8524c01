import { startKafka } from "@headgate/harness/KafkaBroker"
import { kafkaRequest } from "@headgate/harness/pipeRequests"
import { ProduceAcks, Producer } from "@platformatic/kafka"
import * as Effect from "effect/Effect"
import { makeTopic } from "../../../../packages/mover-kafka/test/support/topics.ts"
import { makeRows, tableOf } from "./kafkaRows.ts"
import type { MovedSource, Query } from "./MovedSource.ts"

const partitions = 4
const parts = 12
const rowsEach = 3000

/**
 * A Kafka, and for each round a topic with good rows and rejected ones: each must be in the table with its values, or in the error table with its
 * bytes, once. It ends with the scope.
 */
export const kafka = Effect.gen(function* () {
  const broker = yield* startKafka()
  // On a busy machine a broker takes seconds to answer. A batch that is sent again after its time is out of order, and waits for ever.
  const options = { clientId: "trial", bootstrapBrokers: [broker.plain], retries: 20, timeout: 60_000 }
  const producer = yield* Effect.acquireRelease(
    // A request that is sent again must not double its messages.
    Effect.sync(() => new Producer({ ...options, acks: ProduceAcks.ALL, idempotent: true })),
    (producer) => Effect.promise(() => producer.close(true))
  )
  const source: MovedSource = {
    begin: async (random, round) => {
      const topic = await Effect.runPromise(makeTopic(broker, { name: `round-${round}`, partitions }))
      const rows = makeRows(random)
      const distinct = async (query: Query, column: string, table: string) =>
        Number(await query(`SELECT uniqExact(${column}) FROM ${table}`))
      return {
        parts,
        rows: rows.count,
        afterRestore: { from: "warehouse" },
        request: (database) => ({ ...kafkaRequest(broker.plain, topic, database), destination: tableOf(database) }),
        produce: async (part) => {
          // All in one partition: they come in batches of thousands.
          const messages = Array.from({ length: rowsEach }, () => ({
            topic,
            partition: part % partitions,
            value: rows.next()
          }))
          await producer.send({ messages })
        },
        arrived: async (query, database) => Number(await query(`SELECT count() FROM ${database}.t`)),
        // Rows that are in the wrong table have arrived, too.
        isComplete: async (query, database) => {
          const errors = await distinct(query, "raw_message", `${database}.t_pipe_errors`)
          return (await distinct(query, "n", `${database}.t`)) + errors >= rows.count()
        },
        faults: rows.faults
      }
    }
  }
  return source
})
