import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import type { ObjectListing, Plan, RangeLimits } from "../port/Source.ts"
import type { MoveError } from "../range/MoveError.ts"
import type { Position, Range } from "../range/Range.ts"
import { idleTimeout } from "../rule/attempts.ts"
import { countDelivered } from "./Delivery.ts"
import { recordRange } from "./MoveContext.ts"
import { checkLogged, expectLog, type PartitionSet, passLog, recoverWhenAllWork } from "./PartitionSet.ts"

/** How far a partition is. */
interface PartitionLoop {
  readonly set: PartitionSet
  readonly partition: string
  /** Where the next range begins. */
  from: Position
  limits: RangeLimits
  /** The ranges that are not done, in their order: each ends when it is. */
  readonly undone: Array<Effect.Effect<void, MoveError>>
  /** Objects have left a range since the source was read, and are to be planned again. */
  hasLeft: boolean
}

type Planned = Extract<Plan, { readonly _tag: "Planned" }>

/** The most that a range holds. An object that leaves its group after plain inserts would be inserted again with those that stay. */
const limitsOf = ({ attempt }: PartitionSet): RangeLimits => {
  const { context, destination } = attempt
  const groups = destination.guarantee === "exactly once" ? {} : { objects: 1 }
  return { ...context.options.limits, ...groups }
}

const changedObjects = ({ changed, example = "" }: ObjectListing): ReadonlyArray<string> =>
  changed === 0
    ? []
    : [`${changed} objects have changed since they were read, and are not read again, such as ${example.slice(0, 200)}`]

const planNext = Effect.fnUntraced(function* (loop: PartitionLoop) {
  const { attempt, objects } = loop.set
  const { context, destination, report } = attempt
  const plan = yield* context.source.plan(loop.partition, loop.from, loop.limits, objects.record)
  loop.limits = { ...limitsOf(loop.set), idleTimeout }
  const { listing } = plan
  if (listing !== undefined) {
    const warnings = [...(destination.warnings ?? []), ...changedObjects(listing)]
    yield* report(() => ({ listing, warnings }))
  }
  return plan
})

const moveRange = Effect.fnUntraced(function* (
  loop: PartitionLoop,
  range: Range,
  { objects = [] }: Planned,
  ready: Effect.Effect<void, MoveError>
) {
  const { attempt, current, objects: tracked } = loop.set
  const objectsSince = current.objectsSince ?? current.generation
  const [time, found] = yield* Effect.timed(attempt.delivery.deliver(attempt.owner, { range, objectsSince }, ready))
  tracked.remove(objects)
  if (found.left > 0) loop.hasLeft = true
  passLog(loop.set, range)
  yield* attempt.report((status) => ({
    ...countDelivered(status, found),
    insertSeconds: status.insertSeconds + Duration.toSeconds(time)
  }))
})

/** Records a range, and begins to move it. */
const startRange = Effect.fnUntraced(function* (loop: PartitionLoop, plan: Planned) {
  const { from, partition, set, undone } = loop
  const { attempt, current, moving, objects, permits } = set
  const { context, delivery, owner } = attempt
  const { detail, to } = plan
  const { generation, source } = current
  const planned = { pipeId: owner.pipeId, generation, source, partition, from, to }
  const withDetail: Range = detail === undefined ? planned : { ...planned, detail }
  yield* permits.take(1)
  const range = yield* delivery.complete(withDetail, plan, checkLogged(set, planned))
  yield* recordRange(context, owner, range)
  expectLog(set, range)
  objects.add(plan.objects ?? [])
  const ready = delivery.readyAfter(undone.at(-1) ?? Effect.void, checkLogged(set, range))
  const moves = moveRange(loop, range, plan, ready)
  undone.push(Fiber.join(yield* FiberSet.run(moving, Effect.ensuring(moves, permits.release(1)))))
  loop.from = to
})

/** Moves a partition at its own speed. It waits for rows without a permit, so that idle partitions hold up none. */
export const movePartition = Effect.fnUntraced(function* (set: PartitionSet, partition: string, from: Position) {
  const { attempt, ended, working } = set
  // What is there is moved at once, and shows that the pipe works.
  const limits = { ...limitsOf(set), wait: Duration.zero }
  const loop: PartitionLoop = { set, partition, from, limits, undone: [], hasLeft: false }
  while (!ended.has(partition)) {
    const plan = yield* planNext(loop)
    const isPlanned = plan._tag === "Planned"
    if (isPlanned) yield* startRange(loop, plan)
    const kept = isPlanned ? attempt.delivery.readAhead : 0
    const awaited = loop.undone.splice(0, Math.max(0, loop.undone.length - kept))
    for (const range of awaited) yield* range
    if (isPlanned && awaited.length === 0) continue
    if (plan._tag === "End") {
      // What has left its range since the source was read is found by another look.
      if (!loop.hasLeft) ended.add(partition)
      loop.hasLeft = false
    }
    working.add(partition)
    yield* recoverWhenAllWork(set)
  }
})
