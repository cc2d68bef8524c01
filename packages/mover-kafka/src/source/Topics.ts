import { SourceError, type SourcePartition } from "@headgate/mover"
import * as Effect from "effect/Effect"
import type { KafkaOptions, KafkaStart } from "../options/KafkaOptions.ts"
import { type Cluster, firstOffset, nextOffset, type Topic, type TopicPartition } from "../protocol/Cluster.ts"

/** The name of a partition. No topic has a slash in its name. */
const partitionName = (topic: string, partition: number): string => `${topic}/${partition}`

/** Which topics a source reads, each with its id. A topic that was deleted and made again has another one. */
const identityOf = (topics: ReadonlyArray<Topic>): string =>
  topics
    .map(({ id, name }) => `${name}:${id}`)
    .toSorted()
    .join(",")

const startOffset = Effect.fnUntraced(function* (
  cluster: Cluster,
  place: TopicPartition,
  first: bigint,
  start: KafkaStart
) {
  if (start === "earliest") return first
  // In this order: a message that arrives between the two requests is not left out.
  const next = (yield* cluster.offsetAt(place, nextOffset)) ?? 0n
  if (start === "latest") return next
  return (yield* cluster.offsetAt(place, BigInt(start.epochMilliseconds))) ?? next
})

/** What a source knows of its topics. */
export interface Topics {
  /** Looks the topics up by their names. From then on they are asked for by their ids, until this is run again. */
  readonly identity: Effect.Effect<string, SourceError>
  /** The partitions, each with its positions, which are found once. */
  readonly partitions: Effect.Effect<ReadonlyArray<SourcePartition>, SourceError>
  /** How many partitions a broker leads, `host:port`. */
  readonly ledBy: (broker: string) => number
  /** A partition by its name, of the topics that {@link identity} found. */
  readonly find: (
    partition: string
  ) => Effect.Effect<{ readonly identity: string; readonly place: TopicPartition }, SourceError>
}

export const makeTopics = (cluster: Cluster, { start, topics: names }: KafkaOptions): Topics => {
  const state: { identity?: string; topics: ReadonlyArray<Topic>; partitions: ReadonlyMap<string, SourcePartition> } = {
    topics: [],
    partitions: new Map()
  }

  const identity = Effect.gen(function* () {
    const topics = yield* cluster.topics(Array.from(new Set(names), (name) => ({ name })))
    const identity = identityOf(topics)
    if (identity !== state.identity) state.partitions = new Map()
    state.identity = identity
    state.topics = topics
    return identity
  })

  const known = Effect.suspend(() => (state.identity === undefined ? identity : Effect.succeed(state.identity)))

  const describePartition = Effect.fnUntraced(function* (place: TopicPartition) {
    const partition = partitionName(place.topic.name, place.partition)
    const first = (yield* cluster.offsetAt(place, firstOffset)) ?? 0n
    const found = { partition, first: String(first), start: String(yield* startOffset(cluster, place, first, start)) }
    return [partition, found] as const
  })

  return {
    identity,
    partitions: Effect.gen(function* () {
      yield* known
      const topics = yield* cluster.topics(state.topics.map(({ id }) => ({ topicId: id })))
      state.topics = topics
      const places = topics.flatMap((topic) => topic.leaders.map((_, partition) => ({ topic, partition })))
      const missing = places.filter(
        ({ partition, topic }) => !state.partitions.has(partitionName(topic.name, partition))
      )
      const found = yield* Effect.forEach(missing, describePartition, { concurrency: 4 })
      state.partitions = new Map([...state.partitions, ...found])
      return Array.from(state.partitions.values())
    }),
    ledBy: (broker) =>
      state.topics.flatMap(({ leaders }) => leaders).filter(({ host, port }) => `${host}:${port}` === broker).length,
    find: Effect.fnUntraced(function* (name) {
      const identity = yield* known
      const [topicName, partition] = name.split("/")
      const topic = state.topics.find(({ name }) => name === topicName)
      if (topic === undefined) return yield* new SourceError({ message: `the pipe does not read partition ${name}` })
      return { identity, place: { topic, partition: Number(partition) } }
    })
  }
}
