import type * as Effect from "effect/Effect"
import type { CallError } from "../error/CallError.ts"
import type { ServiceNotFound } from "../error/NotFound.ts"

/** `ServiceNotFound`: only where the documents are reached through a service. */
type DocumentsError = ServiceNotFound | CallError

/** The methods of a port to documents of one organization that callers create and replace. `Address` holds the id of one. */
export interface OwnedDocuments<Address, Request, Document, Missing, Update = Request> {
  /** Creates a document and assigns its id. Fails with `Conflict` if the organization has too many. */
  readonly create: (request: Request) => Effect.Effect<Document, DocumentsError>
  /** All documents, oldest first. */
  readonly list: () => Effect.Effect<ReadonlyArray<Document>, DocumentsError>
  /** Reads a document. */
  readonly get: (address: Address) => Effect.Effect<Document, Missing | DocumentsError>
  /**
   * Replaces a document. A field that is absent or `null` in the request is gone, unless the type of the request says that it
   * stays. Fails with `PreconditionFailed` if the
   * document does not have the version of `IfMatch`.
   */
  readonly update: (address: Address, request: Update) => Effect.Effect<Document, Missing | DocumentsError>
  /** Deletes a document. What refers to it stays. Fails with `PreconditionFailed` as `update` does. */
  readonly delete: (address: Address) => Effect.Effect<void, Missing | DocumentsError>
}
