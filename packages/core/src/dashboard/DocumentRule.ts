import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { type Conflict, InvalidRequest } from "../error/CallError.ts"
import type { FieldIssue } from "../error/FieldIssue.ts"
import type { OrganizationId } from "../id/organization.ts"
import type { JsonObject } from "./config/Issues.ts"

/** The kinds of stored resources that a document names, or that name a document. */
export type NamedKind = "connections" | "sources" | "savedSearches" | "webhooks" | "alerts" | "dashboards"

/** A stored resource as the JSON that callers read, without its secrets. */
export interface NamedResource extends JsonObject {
  readonly id: string
}

/**
 * Reads resources of the organization whose document is written: those with the ids, or all of a kind. A store calls it in the
 * transaction of the write, and until that ends nobody changes or deletes what was read by id.
 */
export type FindNamed<E = never> = (
  kind: NamedKind,
  ids?: ReadonlyArray<string>
) => Effect.Effect<ReadonlyArray<NamedResource>, E>

/** What a document is made from, beside the request. */
export interface DocumentContext {
  readonly organizationId: OrganizationId
  /** The time of the request, in the format of ISO 8601. */
  readonly now: string
  /** What {@link DocumentRule.references} read of what the request names. */
  readonly named: JsonObject
  /** The fields that the request sets to `null`. */
  readonly removed: ReadonlyArray<string>
  /** The document that is replaced. */
  readonly stored?: JsonObject | undefined
}

/**
 * The rules of one kind of documents that its schemas do not have. Requests are valid by their schema, with open secrets and without
 * fields that are `null`.
 */
export interface DocumentRule {
  /** What is wrong with several fields together, or with a secret. */
  readonly issues: (request: JsonObject, now: DateTime.Utc) => ReadonlyArray<FieldIssue>
  /** What is wrong with a field unless the stored document has it, too. */
  readonly changeIssues: (request: JsonObject, stored: JsonObject | undefined) => ReadonlyArray<FieldIssue>
  /**
   * Checks that what the request names is there, and returns what the document takes from it. `id` is that of the document that
   * is replaced.
   */
  readonly references: <E>(
    request: JsonObject,
    id: string | undefined,
    find: FindNamed<E>
  ) => Effect.Effect<JsonObject, InvalidRequest | E>
  /** The document that is stored, without its id and its secrets. A field that is `undefined` is left out. */
  readonly document: (request: JsonObject, context: DocumentContext) => JsonObject
  /** The ids of the alerts that are deleted with a document; fails if it must not be deleted. */
  readonly deletion: <E>(id: string, find: FindNamed<E>) => Effect.Effect<ReadonlyArray<string>, Conflict | E>
  /** Whether a document keeps the secrets that no answer has and that a request leaves out. Both with open secrets. */
  readonly keepsSecrets: (request: JsonObject, stored: JsonObject) => boolean
}

/** The failure of a request that does not go with what the organization has. The message is the service's. */
export const badReference = (path: string, message: string): InvalidRequest =>
  new InvalidRequest({ message, issues: [{ path, message }] })

/** The name of a request without the spaces around it, and what is wrong with it. */
export const trimmedName = ({ name }: JsonObject): string => String(name).trim()
export const nameIssues = (request: JsonObject): ReadonlyArray<FieldIssue> =>
  trimmedName(request) === "" ? [{ path: "name", message: "Expected a name that is not blank" }] : []

/** Nothing is named, nothing is wrong, and nothing is deleted with a document. */
export const noRule: Omit<DocumentRule, "document"> = {
  issues: () => [],
  changeIssues: () => [],
  references: () => Effect.succeed({}),
  deletion: () => Effect.succeed([]),
  keepsSecrets: () => true
}

/** The times of a document: it was created once, and is replaced now. */
export const timesOf = ({ now, stored }: DocumentContext): JsonObject => ({
  createdAt: stored?.createdAt ?? now,
  updatedAt: now
})
