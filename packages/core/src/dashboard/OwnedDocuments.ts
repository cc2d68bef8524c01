import type * as Effect from "effect/Effect"
import type { CallError } from "../error/CallError.ts"
import type { ServiceNotFound } from "../error/NotFound.ts"
import type { ServiceAddress } from "../id/service.ts"

/** The methods of a port to documents of one organization that callers create and replace. `Address` holds the id of one. */
export interface OwnedDocuments<Address, Request, Document, Missing, Update = Request> {
  /** Creates a document and assigns its id. Fails with `Conflict` if the organization has too many. */
  readonly create: (request: Request) => Effect.Effect<Document, CallError>
  /** All documents, oldest first. */
  readonly list: () => Effect.Effect<ReadonlyArray<Document>, CallError>
  /** Reads a document. */
  readonly get: (address: Address) => Effect.Effect<Document, Missing | CallError>
  /**
   * Replaces a document. A field that is absent or `null` in the request is gone, unless the type of the request says that it
   * stays. Fails with `PreconditionFailed` if the
   * document does not have the version of `IfMatch`.
   */
  readonly update: (address: Address, request: Update) => Effect.Effect<Document, Missing | CallError>
  /** Deletes a document. What refers to it stays. Fails with `PreconditionFailed` as `update` does. */
  readonly delete: (address: Address) => Effect.Effect<void, Missing | CallError>
}

/**
 * The methods of a port to documents of an organization that callers reach through a service: every service of the organization
 * has the same. A change fails with `FailedDependency` while the service does not run.
 */
export interface ServiceDocuments<Address, Request, Document, Missing, Update> {
  /** All documents, oldest first. */
  readonly list: (address: ServiceAddress) => Effect.Effect<ReadonlyArray<Document>, ServiceNotFound | CallError>
  /** Reads a document. */
  readonly get: (address: Address) => Effect.Effect<Document, Missing | CallError>
  /** Creates a document and assigns its id. Fails with `Conflict` if the organization has too many. */
  readonly create: (address: ServiceAddress, request: Request) => Effect.Effect<Document, ServiceNotFound | CallError>
  /** Replaces a document. Fails with `PreconditionFailed` if the document does not have the version of `IfMatch`. */
  readonly update: (address: Address, request: Update) => Effect.Effect<Document, Missing | CallError>
  /** Deletes a document. Fails with `PreconditionFailed` as `update` does. */
  readonly delete: (address: Address) => Effect.Effect<void, Missing | CallError>
}
