import * as Effect from "effect/Effect"
import type { Owner } from "../port/Ledger.ts"
import type { RejectedRangeRow, Warehouse } from "../port/Warehouse.ts"
import { CannotContinue, ObjectRejected, WarehouseError } from "../range/MoveError.ts"
import type { ObjectReference } from "../range/ObjectReference.ts"
import { Range } from "../range/Range.ts"
import { type MemoryWarehouseState, useToken } from "./MemoryWarehouseState.ts"

const encoder = new TextEncoder()

const readObject = (state: MemoryWarehouseState, { key }: ObjectReference) =>
  Effect.suspend(() => {
    state.statements += 1
    const texts = state.options.objects?.(key)
    return texts === undefined
      ? Effect.fail(new WarehouseError({ message: `there is no object ${key}` }))
      : Effect.succeed(texts.filter((text) => text.trim() !== ""))
  })

const stageTexts = (
  state: MemoryWarehouseState,
  { epoch, id: ownerId }: Owner,
  range: Range,
  texts: ReadonlyArray<string>
) => {
  const { generation, partition, pipeId } = range
  const { partOf = () => "all" } = state.options
  const rows = new Map<string, ReadonlyArray<string>>()
  for (const text of texts) rows.set(partOf(text), [...(rows.get(partOf(text)) ?? []), text])
  const staging = JSON.stringify([Range.tokenOf(range), epoch, ownerId])
  state.stagings.set(staging, { generation, partition, pipeId, epoch, ownerId, rows })
  return { staging, parts: Array.from(rows, ([part, { length }]) => ({ part, rows: length })) }
}

/** The methods of a warehouse in memory about objects. */
export const memoryStagings = (state: MemoryWarehouseState) => {
  const { rejected, stagings } = state
  const { rejects = () => undefined } = state.options
  return {
    takeOver: ({ epoch, id, pipeId }, keep) =>
      Effect.sync(() => {
        for (const [name, staging] of stagings) {
          const isEarlier = staging.epoch < epoch || staging.ownerId === id
          if (staging.pipeId === pipeId && isEarlier && !keep.has(name)) stagings.delete(name)
        }
      }),
    stage: (owner, range, objects) =>
      Effect.gen(function* () {
        const read = yield* Effect.forEach(objects, (object) => readObject(state, object))
        const texts = read.flat()
        const empty = objects.filter((_, index) => read[index]?.length === 0).map(({ key }) => key)
        const reason = texts.map(rejects).find((found) => found !== undefined)
        if (reason !== undefined) return yield* new ObjectRejected({ reason })
        return {
          ...stageTexts(state, owner, range, texts),
          unknownFields: new Map(),
          ...(empty.length === 0 ? {} : { empty })
        }
      }),
    stageRows: Effect.fn("MemoryWarehouse.stageRows")(function* (owner, range, object) {
      const texts = yield* readObject(state, object)
      const rejectedRows = texts.flatMap((text, row): ReadonlyArray<RejectedRangeRow> => {
        const reason = rejects(text)
        return reason === undefined ? [] : [{ row, content: encoder.encode(text), reason }]
      })
      const staged = stageTexts(
        state,
        owner,
        range,
        texts.filter((text) => rejects(text) === undefined)
      )
      rejected.set(staged.staging, rejectedRows)
      return {
        ...staged,
        unknownFields: new Map(),
        ...(rejectedRows.length === 0 ? {} : { rejected: rejectedRows.length })
      }
    }),
    copyRejected: (range, staging) =>
      Effect.sync(() => {
        const rows = rejected.get(staging) ?? []
        if (rows.length > 0) state.statements += 1
        if (rows.length > 0 && useToken(state, JSON.stringify([Range.tokenOf(range), range.detail, "rejected"]))) {
          state.data.rejectedRows = [...state.data.rejectedRows, ...rows]
        }
        return rows.length
      }),
    beforeMove: () => Effect.sync(() => String(state.data.interrupted)),
    movePart: (name, { part, rows: recorded }, before) =>
      Effect.suspend(() => {
        state.statements += 1
        const staging = stagings.get(name)
        const rows = staging?.rows.get(part)
        const isUnproved = before !== undefined && rows !== undefined && state.data.interrupted > Number(before)
        if (staging === undefined || (rows !== undefined && rows.length !== recorded) || isUnproved) {
          return Effect.fail(
            new CannotContinue({ message: `nothing proves whether part ${part} of ${name} was moved` })
          )
        }
        const { generation, partition } = staging
        state.data.rows = [...state.data.rows, ...(rows ?? []).map((text) => ({ generation, partition, text }))]
        staging.rows.delete(part)
        return Effect.void
      }),
    discard: (staging) => Effect.sync(() => void stagings.delete(staging))
  } satisfies Partial<Warehouse["Service"]>
}
