import type { KafkaSource } from "@headgate/core"
import { type RangesConnector, SourceRefused } from "@headgate/mover"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { DemoSource } from "./DemoSource.ts"
import { type DemoStart, demoTopics } from "./demoTopics.ts"

/** The broker that pipes of the demo name. There is none: nothing is connected to. */
export const demoBroker = "demo:9092"

const refuse = (field: string, message: string) =>
  Effect.fail(new SourceRefused({ path: `source.kafka.${field}`, message }))

const listOf = (list: string | null | undefined): ReadonlyArray<string> =>
  (list ?? "").split(",").flatMap((each) => each.trim() || [])

const startOf = ({ offset }: KafkaSource): Effect.Effect<DemoStart, SourceRefused> => {
  const strategy = offset?.strategy ?? "from_beginning"
  if (strategy === "from_beginning") return Effect.succeed("first")
  if (strategy === "from_latest") return Effect.succeed("next")
  return Option.match(DateTime.make(`${offset?.timestamp}:00Z`), {
    onNone: () => refuse("offset.timestamp", "expected a UTC time as YYYY-MM-DDTHH:MM"),
    onSome: (time) => Effect.succeed(DateTime.toEpochMillis(time))
  })
}

const readSource = Effect.fnUntraced(function* (source: KafkaSource) {
  const other = listOf(source.brokers).find((broker) => broker !== demoBroker)
  if (other !== undefined || listOf(source.brokers).length === 0) {
    return yield* refuse(
      "brokers",
      `a server with --demo makes up its rows, and reads from ${demoBroker} alone${other === undefined ? "" : `, not from ${other}`}. For your own brokers start it without --demo: headgate-server --warehouse URL`
    )
  }
  if (source.format !== "JSONEachRow") {
    return yield* refuse("format", `${source.format} is not served: use JSONEachRow`)
  }
  const topics = listOf(source.topics)
  if (topics.length === 0) return yield* refuse("topics", "name at least one topic, such as clicks")
  return { topics, start: yield* startOf(source) }
})

/** Pipes from Kafka whose rows are made up: topics of the broker `demo:9092`. */
export const demoConnector: RangesConnector = {
  _tag: "Ranges",
  configure: Effect.fnUntraced(function* ({ source }) {
    const { start, topics } = yield* readSource(source.kafka ?? {})
    return {
      _tag: "Ranges",
      layer: DemoSource.layer(demoTopics(topics, start)),
      probe: Effect.succeed([]),
      sample: { _tag: "Rows", layer: DemoSource.layer(demoTopics(topics, "first")) }
    }
  })
}
