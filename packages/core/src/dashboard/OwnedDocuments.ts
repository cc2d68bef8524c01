import type * as Effect from "effect/Effect"
import type { CallError } from "../error/CallError.ts"

/** The methods of a port to documents of one organization that callers create and replace. */
export interface OwnedDocuments<Id, Request, Document, Missing> {
  /** Creates a document and assigns its id. Fails with `Conflict` if the organization has too many. */
  readonly create: (request: Request) => Effect.Effect<Document, CallError>
  /** All documents, oldest first. */
  readonly list: () => Effect.Effect<ReadonlyArray<Document>, CallError>
  /** Reads a document. */
  readonly get: (id: Id) => Effect.Effect<Document, Missing | CallError>
  /**
   * Replaces a document. A field that is absent or `null` in the request is gone, unless the type of the request says that it
   * stays. Fails with `PreconditionFailed` if the
   * document does not have the version of `IfMatch`.
   */
  readonly update: (id: Id, request: Request) => Effect.Effect<Document, Missing | CallError>
  /** Deletes a document. What refers to it stays. Fails with `PreconditionFailed` as `update` does. */
  readonly delete: (id: Id) => Effect.Effect<void, Missing | CallError>
}
