import { type Ledger, ledgerRules, numberList } from "@headgate/mover"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { type LedgerContext, orLedgerError, orRefuse } from "./LedgerContext.ts"
import { lastListOf } from "./LedgerRow.ts"

/** The methods of the ledger about the objects that a pipe has read. */
export const objectStatements = ({ change, findPipe, objectTable, sql }: LedgerContext) =>
  ({
    restoreObjects: Effect.fn("SqlLedger.restoreObjects")(function* (owner, generation, objects) {
      yield* change(owner, (row) => objectTable.add(owner.pipeId, objects, generation, (row?.lists ?? 0) + 1))
    }),

    beginList: Effect.fn("SqlLedger.beginList")(function* (owner, now) {
      const row = yield* orLedgerError(findPipe(owner.pipeId))
      yield* orRefuse(ledgerRules.owner(row, owner))
      return numberList(lastListOf(row), now)
    }),

    doneObjects: Effect.fn("SqlLedger.doneObjects")(function* (owner, list, objects) {
      const { unseen, versions } = yield* orLedgerError(objectTable.find(owner.pipeId, objects, list.number))
      if (unseen.length > 0) yield* change(owner, () => objectTable.markSeen(owner.pipeId, unseen, list.number))
      return versions
    }),

    endList: Effect.fn("SqlLedger.endList")(function* (owner, { began, number }) {
      const { pipeId } = owner
      yield* change(
        owner,
        Effect.fnUntraced(function* (row) {
          if (number <= (row?.lists ?? 0)) return
          yield* sql`
          UPDATE mover_pipe SET lists = ${number}, listed_at = ${DateTime.toEpochMillis(began)}
          WHERE pipe_id = ${pipeId}`
          yield* objectTable.forgetUnseen(pipeId, number - 1)
        })
      )
    })
  }) satisfies Partial<Ledger["Service"]>
