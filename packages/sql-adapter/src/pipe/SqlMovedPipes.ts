import { OrganizationId, Pipe, type PipeAddress } from "@headgate/core"
import {
  MovedPipes,
  notFound,
  type PipeChange,
  pipeChanges,
  type PipeEventCause,
  pipeLifecycle,
  Sealing,
  StepLength,
  withVersion
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { inChunks } from "../internal/inChunks.ts"
import { orServerError } from "../internal/outage.ts"
import { writeTransaction } from "../internal/transaction.ts"
import { atAddress, makeLockPipes, makeSelectRecords, makeStoreChange } from "./PipeRow.ts"
import { deletedPipes } from "./deletedPipes.ts"
import { movedChanges } from "./movedChanges.ts"
import { decryptPipe } from "./pipeSecrets.ts"

/** For how many texts a statement looks; beyond that, all documents are returned. */
const mostTexts = 50

/** The `MovedPipes` port over SQL. */
const layer: Layer.Layer<MovedPipes, never, SqlClient.SqlClient | Sealing> = Layer.effect(
  MovedPipes,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const sealing = yield* Sealing
    const select = makeSelectRecords(sql)
    const lockPipes = makeLockPipes(sql)
    const storeChange = makeStoreChange(sql)
    /** A change of a mover, which a caller's change prevents. Returns whether it was made. */
    const changeSeen = Effect.fnUntraced(function* (
      address: PipeAddress,
      version: number,
      change: PipeChange,
      cause: PipeEventCause
    ) {
      const [held] = yield* lockPipes(atAddress(sql, address))
      if (held === undefined || held.version !== version) return false
      const changed = yield* Effect.fromResult(change(held.record, { now: held.now, stepLength: yield* StepLength }))
      if (changed !== held.stored) yield* storeChange(held, changed, version, cause)
      return true
    })

    const listOrganizations = SqlSchema.findAll({
      Request: Schema.Array(Schema.String),
      Result: Schema.Struct({ pipeId: Schema.String, organizationId: OrganizationId }),
      execute: (ids) => sql`
        SELECT id AS "pipeId", organization_id AS "organizationId" FROM deleted_pipe WHERE id IN ${sql.in(ids)}
        UNION ALL SELECT id, organization_id FROM pipe WHERE id IN ${sql.in(ids)}`
    })
    const holds = (text: string) =>
      sql.onDialectOrElse({
        pg: () => sql`strpos(document, ${JSON.stringify(text)}) > 0`,
        orElse: () => sql`instr(document, ${JSON.stringify(text)}) > 0`
      })
    const listNaming = SqlSchema.findAll({
      Request: Schema.Struct({
        warehouse: Schema.String,
        organizationId: OrganizationId,
        texts: Schema.Array(Schema.String)
      }),
      Result: Schema.Struct({ document: Schema.fromJsonString(Pipe) }),
      execute: ({ organizationId, texts, warehouse }) => sql`
        SELECT document FROM pipe WHERE warehouse = ${warehouse} AND organization_id <> ${organizationId}
          AND ${texts.length > mostTexts ? sql`TRUE` : sql.or(texts.map(holds))}`
    })

    return MovedPipes.of({
      ...deletedPipes(sql, sealing),
      organizationsOf: (pipeIds) =>
        Effect.map(
          orServerError(inChunks(pipeIds, listOrganizations)),
          (found) => new Map(found.map(({ organizationId, pipeId }) => [pipeId, organizationId]))
        ),
      naming: (warehouse, organizationId, texts) =>
        Effect.map(orServerError(listNaming({ warehouse, organizationId, texts })), (rows) =>
          rows.map(({ document }) => document)
        ),
      changes: movedChanges(sql),
      read: Effect.fn("SqlMovedPipes.read")(function* (address) {
        const [held] = yield* orServerError(select(atAddress(sql, address)))
        if (held === undefined) return yield* notFound("PipeNotFound", address)
        const opened = yield* decryptPipe(sealing, held.record)
        return { ...opened, pipe: withVersion(opened.pipe, held.version) }
      }),
      report: Effect.fn("SqlMovedPipes.report")(function* (address, version, report) {
        const { mover } = report
        const cause: PipeEventCause = { by: "mover", ...(mover === undefined ? {} : { mover }) }
        return yield* orServerError(
          writeTransaction(sql)(changeSeen(address, version, pipeChanges.report(report), cause))
        )
      }),
      decided: Effect.fn("SqlMovedPipes.decided")(function* (address, version) {
        const change: PipeChange = (record) => Result.succeed(pipeLifecycle.withoutDecision(record))
        return yield* orServerError(writeTransaction(sql)(changeSeen(address, version, change, { by: "mover" })))
      })
    })
  })
)

export const SqlMovedPipes = { layer }
