import { SourceError } from "@headgate/mover"
import {
  type Broker,
  createAPI,
  fetchV13,
  findCoordinatorV4,
  listOffsetsV7,
  metadataV12,
  offsetCommitV8,
  parseBroker,
  Reader,
  type RecordsBatch
} from "@platformatic/kafka"
import * as Effect from "effect/Effect"
import type { AbortedTransaction } from "../message/readMessages.ts"
import type { KafkaOptions } from "../options/KafkaOptions.ts"
import { describeCode, makeConnections } from "./Connections.ts"

/** The error codes of the protocol that mean more than that a request is to be repeated. */
const codes = { none: 0, offsetOutOfRange: 1, topicNotAllowed: 29 }

/** A topic, and the broker that leads each of its partitions. */
export interface Topic {
  readonly name: string
  readonly id: string
  readonly leaders: ReadonlyArray<Broker>
}

/** Which topics: by name, or by id, after which another topic of the same name does not answer. */
export type TopicKey = { readonly name: string } | { readonly topicId: string }

/** A partition of a topic that is known by its id. */
export interface TopicPartition {
  readonly topic: Topic
  readonly partition: number
}

/** A place in a partition. */
export interface PartitionOffset extends TopicPartition {
  readonly offset: bigint
}

/** What a fetch found in a partition. */
export interface FetchedPartition {
  readonly batches: ReadonlyArray<RecordsBatch>
  readonly aborted: ReadonlyArray<AbortedTransaction>
}

/** The session epoch of a fetch that stands alone. */
const noSession = -1

/** The times that `ListOffsets` takes for the first and the next offset. */
export const firstOffset = -2n
export const nextOffset = -1n

/**
 * Fetch with its answer in one buffer: the client reads records out of the pieces in which they arrived, which takes about
 * twice as long.
 */
const fetchApi: typeof fetchV13.api = createAPI(
  fetchV13.api.key,
  fetchV13.api.version,
  fetchV13.createRequest,
  (correlationId, key, version, reader) =>
    fetchV13.parseResponse(correlationId, key, version, Reader.from(reader.buffer.slice()))
)

const needed = [fetchApi, metadataV12.api, listOffsetsV7.api]
const failed = (what: string, code: number) =>
  new SourceError({
    message: `${what}: ${describeCode(code)}`,
    ...(code === codes.topicNotAllowed ? { field: "topics" } : {})
  })

const leaderOf = ({ partition, topic }: TopicPartition) =>
  Effect.suspend(() => {
    const leader = topic.leaders[partition]
    return leader === undefined
      ? Effect.fail(new SourceError({ message: `topic ${topic.name} has no partition ${partition}` }))
      : Effect.succeed(leader)
  })

const wanted = ({ offset, partition, topic }: PartitionOffset, maxBytes: number) => ({
  topicId: topic.id,
  partitions: [
    {
      partition,
      currentLeaderEpoch: -1,
      fetchOffset: offset,
      lastFetchedEpoch: -1,
      partitionMaxBytes: maxBytes
    }
  ]
})

/** The requests that a source sends to a cluster. */
export const makeCluster = Effect.fnUntraced(function* (options: KafkaOptions) {
  const { request } = yield* makeConnections(options, needed)
  const bootstrap = options.brokers.map((broker) => parseBroker(broker))
  const isolation = options.isReadCommitted ? 1 : 0
  let known: ReadonlyArray<Broker> = []

  /** Asks the first broker that answers. */
  const anyBroker = <A>(ask: (broker: Broker) => Effect.Effect<A, SourceError>) =>
    Effect.suspend(() => Effect.firstSuccessOf([...bootstrap, ...known].map(ask)))

  const topics = Effect.fnUntraced(function* (keys: ReadonlyArray<TopicKey>) {
    const answer = yield* anyBroker((broker) => request(broker, metadataV12.api, [...keys], false, false))
    const brokers = new Map(answer.brokers.map(({ host, nodeId, port }) => [nodeId, { host, port }]))
    known = Array.from(brokers.values())
    return yield* Effect.forEach(answer.topics, ({ errorCode, name, partitions, topicId }) =>
      Effect.gen(function* () {
        const title = `topic ${name ?? topicId}`
        if (errorCode !== codes.none) return yield* failed(title, errorCode)
        const leaders = yield* Effect.forEach(
          partitions.toSorted((one, other) => one.partitionIndex - other.partitionIndex),
          ({ errorCode, leaderId, partitionIndex }) => {
            const leader = brokers.get(leaderId)
            const what = `${title}, partition ${partitionIndex}`
            if (leader !== undefined) return Effect.succeed(leader)
            if (errorCode !== codes.none) return Effect.fail(failed(what, errorCode))
            return Effect.fail(new SourceError({ message: `${what}: no broker leads it` }))
          }
        )
        return { name: name ?? "", id: topicId, leaders } satisfies Topic
      })
    )
  })

  /** The first offset whose message has this timestamp or a later one; `undefined` if there is none. */
  const offsetAt = Effect.fnUntraced(function* (place: TopicPartition, timestamp: bigint) {
    const { partition, topic } = place
    const leader = yield* leaderOf(place)
    const partitions = [{ partitionIndex: partition, currentLeaderEpoch: -1, timestamp }]
    const answer = yield* request(leader, listOffsetsV7.api, -1, isolation, [{ name: topic.name, partitions }])
    const found = answer.topics[0]?.partitions[0]
    if (found === undefined || found.errorCode !== codes.none) {
      return yield* failed(`offsets of topic ${topic.name}, partition ${partition}`, found?.errorCode ?? -1)
    }
    return found.offset < 0n ? undefined : found.offset
  })

  /** Fetches what is there from an offset on. `undefined`: the partition does not hold that offset. */
  const fetch = Effect.fnUntraced(function* (place: PartitionOffset, maxBytes: number) {
    const { partition, topic } = place
    const leader = yield* leaderOf(place)
    const topics = [wanted(place, maxBytes)]
    const answer = yield* request(leader, fetchApi, 0, 0, maxBytes, isolation, 0, noSession, topics, [], "")
    const fetched = answer.responses[0]?.partitions[0]
    const code = fetched?.errorCode ?? answer.errorCode
    if (code === codes.offsetOutOfRange) return undefined
    if (fetched === undefined || code !== codes.none) {
      return yield* failed(`fetch of topic ${topic.name}, partition ${partition}`, code)
    }
    const { abortedTransactions, records } = fetched
    const found: FetchedPartition = { batches: records ?? [], aborted: abortedTransactions ?? [] }
    return found
  })

  /**
   * Waits until one of the places, which one broker leads, has a message, for so many milliseconds. Returns those that have
   * one, or of which the broker tells an error.
   */
  const wait = Effect.fnUntraced(function* <Place extends PartitionOffset>(
    places: ReadonlyArray<Place>,
    longest: number
  ) {
    const [first] = places
    if (first === undefined) return new Set<Place>()
    const leader = yield* leaderOf(first)
    // One byte: the messages themselves are fetched by who waits for them.
    const topics = places.map((place) => wanted(place, 1))
    const answer = yield* request(leader, fetchApi, longest, 1, 1, isolation, 0, noSession, topics, [], "")
    const idle = new Map(
      answer.responses.flatMap(({ partitions, topicId }) =>
        partitions.flatMap(({ errorCode, highWatermark, lastStableOffset, partitionIndex }) => {
          const end = options.isReadCommitted ? lastStableOffset : highWatermark
          return errorCode === codes.none ? [[`${topicId}/${partitionIndex}`, end] as const] : []
        })
      )
    )
    return new Set(
      places.filter(({ offset, partition, topic }) => (idle.get(`${topic.id}/${partition}`) ?? offset + 1n) > offset)
    )
  })

  /** Commits offsets to a group that has no members. */
  const commit = Effect.fnUntraced(function* (
    group: string,
    offsets: ReadonlyArray<{ readonly topic: string; readonly partition: number; readonly offset: bigint }>
  ) {
    const found = yield* anyBroker((broker) => request(broker, findCoordinatorV4.api, 0, [group]))
    const [coordinator] = found.coordinators
    if (coordinator === undefined || coordinator.errorCode !== codes.none) {
      return yield* failed(`group ${group}`, coordinator?.errorCode ?? -1)
    }
    const topics = Array.from(new Set(offsets.map(({ topic }) => topic)), (name) => ({
      name,
      partitions: offsets.flatMap(({ offset, partition, topic }) =>
        topic === name
          ? [{ partitionIndex: partition, committedOffset: offset, committedLeaderEpoch: -1, committedMetadata: null }]
          : []
      )
    }))
    const { host, port } = coordinator
    const answer = yield* request({ host, port }, offsetCommitV8.api, group, -1, "", null, topics)
    const refused = answer.topics.flatMap(({ partitions }) => partitions).find(({ errorCode }) => errorCode !== 0)
    if (refused !== undefined) return yield* failed(`group ${group}`, refused.errorCode)
  })

  return {
    topics,
    offsetAt,
    fetch,
    wait,
    commit,
    /** The broker that leads a partition, as `host:port`. */
    brokerOf: (place: TopicPartition) => Effect.map(leaderOf(place), ({ host, port }) => `${host}:${port}`)
  }
})
export type Cluster = Effect.Success<ReturnType<typeof makeCluster>>
