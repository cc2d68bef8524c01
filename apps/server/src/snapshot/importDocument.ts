import { fieldIssues, formatFieldIssues, InvalidRequest } from "@headgate/core/error"
import { Snapshots } from "@headgate/core/snapshot"
import { type Dialect, snapshotOnWire } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Reads a snapshot document. Fails with `InvalidRequest`, which names every field that is wrong, a misspelt one included. */
export const decodeDocument = (document: unknown, dialect: Dialect) =>
  Schema.decodeUnknownEffect(snapshotOnWire(dialect), { errors: "all", onExcessProperty: "error" })(document).pipe(
    Effect.mapError((error) => {
      const issues = fieldIssues(error)
      return new InvalidRequest({ message: formatFieldIssues(issues), issues })
    })
  )

/** Imports a snapshot document into the store: all of it, or nothing. What the store holds already is left as it is. */
export const importDocument = Effect.fn("importDocument")(function* (document: unknown, dialect: Dialect) {
  const snapshots = yield* Snapshots
  return yield* snapshots.import(yield* decodeDocument(document, dialect))
})
