import { type Position, SourceError } from "@headgate/mover"
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

const startOffset = Effect.fnUntraced(function* (cluster: Cluster, place: TopicPartition, start: KafkaStart) {
  if (start === "earliest") return (yield* cluster.offsetAt(place, firstOffset)) ?? 0n
  // In this order: a message that arrives between the two requests is not left out.
  const next = (yield* cluster.offsetAt(place, nextOffset)) ?? 0n
  if (start === "latest") return next
  return (yield* cluster.offsetAt(place, BigInt(start.epochMilliseconds))) ?? next
})

/** What a source knows of its topics. */
export interface Topics {
  /** Looks the topics up by their names. From then on they are asked for by their ids, until this is run again. */
  readonly identity: Effect.Effect<string, SourceError>
  /** The partitions, each with the position where a pipe begins, which is found once. */
  readonly partitions: Effect.Effect<
    ReadonlyArray<{ readonly partition: string; readonly start: Position }>,
    SourceError
  >
  /** How many partitions are known. */
  readonly count: () => number
  /** A partition by its name, of the topics that {@link identity} found. */
  readonly find: (
    partition: string
  ) => Effect.Effect<{ readonly identity: string; readonly place: TopicPartition }, SourceError>
}

export const makeTopics = (cluster: Cluster, { start, topics: names }: KafkaOptions): Topics => {
  const state: { identity?: string; topics: ReadonlyArray<Topic>; starts: ReadonlyMap<string, Position> } = {
    topics: [],
    starts: new Map()
  }

  const identity = Effect.gen(function* () {
    const topics = yield* cluster.topics(Array.from(new Set(names), (name) => ({ name })))
    const identity = identityOf(topics)
    if (identity !== state.identity) state.starts = new Map()
    state.identity = identity
    state.topics = topics
    return identity
  })

  const known = Effect.suspend(() => (state.identity === undefined ? identity : Effect.succeed(state.identity)))

  const startsOf = Effect.fnUntraced(function* (place: TopicPartition, isNew: boolean) {
    const name = partitionName(place.topic.name, place.partition)
    // A partition that was added later belongs to the pipe from its first message on.
    return [name, String(yield* startOffset(cluster, place, isNew ? "earliest" : start))] as const
  })

  return {
    identity,
    partitions: Effect.gen(function* () {
      yield* known
      const topics = yield* cluster.topics(state.topics.map(({ id }) => ({ topicId: id })))
      state.topics = topics
      const places = topics.flatMap((topic) => topic.leaders.map((_, partition) => ({ topic, partition })))
      const isNew = state.starts.size > 0
      const missing = places.filter(({ partition, topic }) => !state.starts.has(partitionName(topic.name, partition)))
      const found = yield* Effect.forEach(missing, (place) => startsOf(place, isNew), { concurrency: 4 })
      state.starts = new Map([...state.starts, ...found])
      return Array.from(state.starts, ([partition, start]) => ({ partition, start }))
    }),
    count: () => state.starts.size,
    find: Effect.fnUntraced(function* (name) {
      const identity = yield* known
      const [topicName, partition] = name.split("/")
      const topic = state.topics.find(({ name }) => name === topicName)
      if (topic === undefined) return yield* new SourceError({ message: `the pipe does not read partition ${name}` })
      return { identity, place: { topic, partition: Number(partition) } }
    })
  }
}
