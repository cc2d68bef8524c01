// The ways to get the messages of a topic into a table.
import { KafkaSource } from "@headgate/mover-kafka"
import { Consumer, MessagesStreamModes } from "@platformatic/kafka"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Contestant } from "./measure.ts"
import { type BenchPipe, runPipe } from "./pipe.ts"
import { type Events, structureOf, type Environment } from "./environment.ts"

export const names = {
  passedThrough: "headgate, passed through",
  bareLoop: "bare loop of the client",
  mapped: "headgate, mapped with virtual columns",
  engineTable: "Kafka table of the engine",
  passedArrays: "headgate, passed through, arrays",
  bareArrays: "bare loop of the client, arrays"
}

/** A pipe whose rows pass through as they are. */
export const passedThrough = (name: string, environment: Environment, events: Events, isMapped = false): Contestant => {
  const more = isMapped
    ? [
        { name: "key", type: "String" },
        { name: "produced", type: "DateTime64(3)" }
      ]
    : []
  const sources: Readonly<Record<string, string>> = { key: "_key", produced: "_timestamp" }
  const columns = [...events.columns, ...more]
  const pipe: Pick<BenchPipe<never>, "columns" | "fieldMappings"> = {
    columns,
    ...(isMapped
      ? { fieldMappings: columns.map(({ name }) => ({ sourceField: sources[name] ?? name, destinationField: name })) }
      : {})
  }
  const source = KafkaSource.layer({
    brokers: [environment.broker.plain],
    topics: [events.topic],
    start: "earliest",
    isReadCommitted: false,
    virtualColumns: isMapped ? ["_key", "_timestamp"] : []
  })
  return {
    name,
    rows: events.messages,
    move: (table) => runPipe(environment, table, { ...pipe, source }, events.messages)
  }
}

const createTable = ({ engine }: Environment, table: string, { columns }: Events) =>
  engine.run(`CREATE TABLE ${table} (${structureOf(columns)}) ENGINE = MergeTree ORDER BY id`)

const batchRows = 100_000
const newline = Buffer.from("\n")

/** The consumer of the Kafka client, whose messages are inserted in batches: no ledger, no deduplication token, no check of the rows. */
export const bareLoop = (name: string, environment: Environment, events: Events): Contestant => ({
  name,
  rows: events.messages,
  move: Effect.fnUntraced(function* (table) {
    yield* createTable(environment, table, events)
    const consumer = new Consumer({
      clientId: "bench",
      groupId: `bench-${table}`,
      bootstrapBrokers: [environment.broker.plain]
    })
    const messages = yield* Effect.promise(() =>
      consumer.consume({ topics: [events.topic], mode: MessagesStreamModes.EARLIEST, maxBytes: 4 * 1024 * 1024 })
    )
    let parts: Array<Buffer> = []
    let [rows, total] = [0, 0]
    const insert = () => {
      const body = Stream.make(Buffer.concat(parts))
      ;[parts, rows] = [[], 0]
      return Effect.runPromise(
        environment.engine.insert({ into: table, format: "FORMAT JSONEachRow" }, body, (failure) => failure)
      )
    }
    yield* Effect.promise(async () => {
      for await (const { value } of messages) {
        parts.push(value, newline)
        rows += 1
        total += 1
        if (rows === batchRows || total === events.messages) await insert()
        if (total === events.messages) break
      }
      await messages.close()
      await consumer.close(true)
    })
  })
})

export const engineTable = (name: string, environment: Environment, events: Events): Contestant => ({
  name,
  rows: events.messages,
  move: Effect.fnUntraced(function* (table) {
    const { broker, engine } = environment
    yield* createTable(environment, table, events)
    yield* engine.run(`CREATE TABLE ${table}_queue (${structureOf(events.columns)}) ENGINE = Kafka SETTINGS
      kafka_broker_list = '${broker.plain}', kafka_topic_list = '${events.topic}', kafka_group_name = 'bench-${table}',
      kafka_format = 'JSONEachRow', kafka_num_consumers = 1, kafka_max_block_size = ${batchRows}`)
    yield* engine.run(`CREATE MATERIALIZED VIEW ${table}_view TO ${table} AS SELECT * FROM ${table}_queue`)
    const count = engine.run(`SELECT count() FROM ${table} FORMAT TSV`)
    while (Number(yield* count) < events.messages) yield* Effect.sleep("100 millis")
    yield* engine.run(`DROP TABLE ${table}_view SYNC`)
    yield* engine.run(`DROP TABLE ${table}_queue SYNC`)
  })
})
