// The ways to get the messages of a topic into a table.
import { type FieldMapping, PipeId } from "@headgate/core"
import { movePipe } from "@headgate/mover"
import { ClickHouse, ClickHouseWarehouse } from "@headgate/mover-clickhouse"
import { KafkaSource, type VirtualColumn } from "@headgate/mover-kafka"
import { NodeSqlite, SqlMigrations } from "@headgate/sql-adapter"
import { SqlLedger } from "@headgate/sql-adapter/mover"
import { Consumer, MessagesStreamModes } from "@platformatic/kafka"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as SqlClient from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { columns, columnsText, partitions, topic, type TopicWorld } from "./world.ts"

/** One way. `move` succeeds when all messages are in the table of this name. */
export interface Contestant {
  readonly name: string
  readonly move: (world: TopicWorld, table: string) => Effect.Effect<void, unknown>
}

/** The most of one insert, as the real service has it. */
const batch = { rows: 100_000, bytes: 32 * 1024 * 1024 }

/** Waits for the rows. A table that does not exist yet has none. */
const untilAllAreThere = Effect.fnUntraced(function* ({ engine, messages }: TopicWorld, table: string) {
  const count = Effect.orElseSucceed(engine.run(`SELECT count() FROM ${table} FORMAT TSV`), () => "0")
  while (Number(yield* count) < messages) yield* Effect.sleep("20 millis")
})

const organization = { id: "0a0b0c0d-0000-4000-8000-0000000000aa", service: "5e000000-0000-4000-8000-0000000000aa" }

/** The ledger of a pipe, in a file of SQLite. */
export const ledgerOf = (filename: string, pipeId: PipeId) => {
  const pipe = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`INSERT INTO organization (id, name) VALUES (${organization.id}, 'x') ON CONFLICT DO NOTHING`
    yield* sql`INSERT INTO service (id, organization_id, name) VALUES (${organization.service}, ${organization.id}, 'x')
      ON CONFLICT DO NOTHING`
    yield* sql`INSERT INTO pipe (id, organization_id, service_id, document)
      VALUES (${pipeId}, ${organization.id}, ${organization.service}, '{}')`
  })
  return SqlLedger.layer.pipe(
    Layer.provide(Layer.effectDiscard(pipe)),
    Layer.provide(SqlMigrations.layer),
    Layer.provide(NodeSqlite.layer({ filename }))
  )
}

const headgate = (
  name: string,
  options: {
    readonly fieldMappings?: ReadonlyArray<FieldMapping>
    readonly virtualColumns?: ReadonlyArray<VirtualColumn>
    readonly more?: ReadonlyArray<{ readonly name: string; readonly type: string }>
  } = {}
): Contestant => ({
  name,
  move: Effect.fnUntraced(function* (world, table) {
    const { fieldMappings = [], more = [], virtualColumns = [] } = options
    const pipeId = PipeId.make(randomUUID())
    const destination = {
      database: "default",
      table,
      managedTable: true,
      columns: [...columns, ...more],
      tableDefinition: { sortingKey: ["id"] }
    }
    const parts = Layer.mergeAll(
      KafkaSource.layer({
        brokers: [world.broker.plain],
        topics: [topic],
        start: "earliest",
        isReadCommitted: false,
        virtualColumns
      }),
      ClickHouseWarehouse.layer({ destination, fieldMappings }).pipe(
        Layer.provide(Layer.succeed(ClickHouse, world.engine))
      ),
      ledgerOf(join(world.folder, "ledger.sqlite"), pipeId)
    )
    const moving = movePipe({
      pipeId,
      limits: { ...batch, wait: Duration.millis(500) },
      inFlight: partitions,
      partsPerInsert: 1,
      pipesOnTable: 1,
      report: () => Effect.void
    })
    yield* Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(moving)
      yield* untilAllAreThere(world, table)
      yield* Fiber.interrupt(fiber)
    }).pipe(Effect.provide(parts))
  })
})

const createTable = ({ engine }: TopicWorld, table: string) =>
  engine.run(`CREATE TABLE ${table} (${columnsText}) ENGINE = MergeTree ORDER BY id`)

/** The consumer of the client and an insert of each batch, without a ledger, a token or a look at the rows. */
const bareLoop: Contestant = {
  name: "bare loop of the client",
  move: Effect.fnUntraced(function* (world, table) {
    yield* createTable(world, table)
    const consumer = new Consumer({
      clientId: "bench",
      groupId: `bench-${table}`,
      bootstrapBrokers: [world.broker.plain]
    })
    const messages = yield* Effect.promise(() =>
      consumer.consume({ topics: [topic], mode: MessagesStreamModes.EARLIEST, maxBytes: 4 * 1024 * 1024 })
    )
    const newline = Buffer.from("\n")
    let parts: Array<Buffer> = []
    let [rows, total] = [0, 0]
    const insert = () => {
      const body = Stream.make(Buffer.concat(parts))
      ;[parts, rows] = [[], 0]
      return Effect.runPromise(
        world.engine.insert({ into: table, format: "FORMAT JSONEachRow" }, body, (failure) => failure)
      )
    }
    yield* Effect.promise(async () => {
      for await (const { value } of messages) {
        parts.push(value, newline)
        rows += 1
        total += 1
        if (rows === batch.rows || total === world.messages) await insert()
        if (total === world.messages) break
      }
      await messages.close()
      await consumer.close(true)
    })
    yield* untilAllAreThere(world, table)
  })
}

const engineTable: Contestant = {
  name: "Kafka table of the engine",
  move: Effect.fnUntraced(function* (world, table) {
    const { broker, engine } = world
    yield* createTable(world, table)
    yield* engine.run(`CREATE TABLE ${table}_queue (${columnsText}) ENGINE = Kafka SETTINGS
      kafka_broker_list = '${broker.plain}', kafka_topic_list = '${topic}', kafka_group_name = 'bench-${table}',
      kafka_format = 'JSONEachRow', kafka_num_consumers = 1, kafka_max_block_size = ${batch.rows}`)
    yield* engine.run(`CREATE MATERIALIZED VIEW ${table}_view TO ${table} AS SELECT * FROM ${table}_queue`)
    yield* untilAllAreThere(world, table)
    yield* engine.run(`DROP TABLE ${table}_view SYNC`)
    yield* engine.run(`DROP TABLE ${table}_queue SYNC`)
  })
}

const mapped = [...columns, { name: "key", type: "String" }, { name: "produced", type: "DateTime64(3)" }]

export const names = {
  passedThrough: "headgate, passed through",
  mapped: "headgate, mapped with virtual columns",
  bareLoop: bareLoop.name,
  engineTable: engineTable.name
}

export const contestants: ReadonlyArray<Contestant> = [
  headgate(names.passedThrough),
  headgate(names.mapped, {
    more: mapped.slice(columns.length),
    virtualColumns: ["_key", "_timestamp"],
    fieldMappings: mapped.map(({ name }) => ({
      sourceField: name === "key" ? "_key" : name === "produced" ? "_timestamp" : name,
      destinationField: name
    }))
  }),
  bareLoop,
  engineTable
]
