import { fieldIssues, formatFieldIssues, InvalidRequest } from "@headgate/core/error"
import { Snapshots } from "@headgate/core/snapshot"
import { type Dialect, snapshotOnWire } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { unservedFields } from "../upstream/unserved.ts"

/** Whom a document is for. */
export interface DocumentReader {
  readonly dialect: Dialect
  /** A gateway would keep pipes and dashboards, and never serve them. */
  readonly isGateway: boolean
}

/** Reads a snapshot document. Fails with `InvalidRequest`, which names every field that is wrong, a misspelt one included. */
export const decodeDocument = Effect.fnUntraced(function* (document: unknown, { dialect, isGateway }: DocumentReader) {
  const decode = Schema.decodeUnknownEffect(snapshotOnWire(dialect), { errors: "all", onExcessProperty: "error" })
  const snapshot = yield* decode(document).pipe(
    Effect.mapError((error) => {
      const issues = fieldIssues(error)
      return new InvalidRequest({ message: formatFieldIssues(issues), issues })
    })
  )
  const issues = isGateway ? unservedFields(snapshot) : []
  if (issues.length > 0) return yield* new InvalidRequest({ message: formatFieldIssues(issues), issues })
  return snapshot
})

/** Imports a snapshot document into the store: all of it, or nothing. What the store holds already is left as it is. */
export const importDocument = Effect.fn("importDocument")(function* (document: unknown, reader: DocumentReader) {
  const snapshots = yield* Snapshots
  return yield* snapshots.import(yield* decodeDocument(document, reader))
})
