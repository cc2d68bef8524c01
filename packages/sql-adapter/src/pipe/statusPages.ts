import { PipeId, type ServiceAddress } from "@headgate/core"
import { pipeLifecycle, PipeProgress, pipeStatusesOf } from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import { rowPages } from "../internal/documentPages.ts"
import { nowColumn } from "../internal/storeClock.ts"
import { makeRequireService } from "../service/ServiceRow.ts"

/** What the status of a pipe tells of its row. */
interface StatusRow {
  readonly id: string
  readonly state: string
  readonly progress: string | null
  readonly warehouse: string | null
  readonly now: number | null
}

const decodeProgress = Schema.decodeSync(Schema.fromJsonString(PipeProgress))

/** Reads the statuses of a service's pipes in pages of at most 256. A page takes as many statements for one pipe as for all. */
export const makeStatusPages = (sql: SqlClient.SqlClient) => {
  const requireService = makeRequireService(sql)
  const columns = sql`id, state, progress, warehouse, ${nowColumn(sql)}`
  return (address: ServiceAddress) => {
    const { organizationId, serviceId } = address
    const owner = sql`organization_id = ${organizationId} AND service_id = ${serviceId}`
    const readRows = rowPages<StatusRow>(sql, "pipe", columns, owner, "progress")
    return Effect.fnUntraced(function* (after: number) {
      const { next, rows } = yield* readRows(after)
      if (after === 0 && rows.length === 0) yield* requireService(address)
      const clock = yield* Clock.currentTimeMillis
      const records = rows.map(({ id, now, progress, state, warehouse }) => {
        const stored = {
          pipe: { id: PipeId.make(id), state },
          progress: progress === null ? undefined : decodeProgress(progress),
          warehouse: warehouse ?? undefined
        }
        return pipeLifecycle.advance(stored, now ?? clock)
      })
      return { statuses: yield* pipeStatusesOf(records), next }
    })
  }
}
