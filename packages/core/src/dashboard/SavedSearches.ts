import * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import type { SavedSearchNotFound } from "../error/NotFound.ts"
import { SavedSearchId } from "../id/dashboard.ts"
import { knownString } from "../schema/fieldSchemas.ts"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { anyText, boundedText, oneOf, requestedTags, setTime, textUpTo } from "./documentFields.ts"
import type { OwnedDocuments } from "./OwnedDocuments.ts"

const languages = ["lucene", "sql"] as const

const SavedSearchFilter = looseStruct({
  type: anyText("The kind of the filter: `sql`."),
  condition: anyText("The condition, such as `ServiceName IN ('a', 'b')`.")
}).pipe(withIdentifier("SavedSearchFilter", "A pinned filter of a saved search."))

const filters = Schema.Array(SavedSearchFilter)

/**
 * A search that callers have saved. Unknown fields are kept. Contract:
 * docs/wire-contract.md#saved-searches-webhooks-and-alerts.
 */
export const SavedSearch = looseStruct({
  id: SavedSearchId,
  name: anyText("The name."),
  sourceId: anyText("The id of the data source."),
  select: anyText("The columns, separated by commas. Empty: those of the data source."),
  where: anyText("The condition on rows."),
  whereLanguage: nullish(knownString(languages), "The language of `where`."),
  orderBy: anyText("The order of rows. Empty: that of the data source."),
  tags: nullish(Schema.Array(Schema.String), "The tags."),
  filters: nullish(filters, "The pinned filters."),
  teamId: anyText("The id of the organization."),
  createdAt: setTime("When it was created."),
  updatedAt: setTime("When it was last replaced.")
}).pipe(withIdentifier("SavedSearch", "A saved search."))
export type SavedSearch = typeof SavedSearch.Type

/**
 * The request for a saved search, and to replace one. `sourceId` names a data source of the organization. An absent field is
 * set to its default: `select`, `where` and `orderBy` to an empty text, `whereLanguage` to `lucene`, `tags` and `filters` to an empty
 * list. Unknown fields are dropped. Contract: docs/wire-contract.md#saved-searches-webhooks-and-alerts.
 *
 * @example
 * ```ts
 * import type { SavedSearchCreate } from "@headgate/core"
 *
 * export const request: SavedSearchCreate = {
 *   name: "Errors",
 *   sourceId: "65f5e4a3b9e77c001a567891",
 *   where: "level:error",
 *   filters: [{ type: "sql", condition: "ServiceName IN ('checkout')" }]
 * }
 * ```
 */
export const SavedSearchCreate = looseStruct({
  name: boundedText(1024, "The name"),
  sourceId: Schema.String.annotate({ description: "The id of a data source of the organization." }),
  select: nullish(textUpTo(4096), "The columns, separated by commas: at most 4,096 characters."),
  where: nullish(textUpTo(8192), "The condition on rows: at most 8,192 characters."),
  whereLanguage: nullish(oneOf(languages), "The language of `where`."),
  orderBy: nullish(textUpTo(1024), "The order of rows: at most 1,024 characters."),
  tags: requestedTags,
  filters: nullish(
    filters.check(Schema.isMaxLength(100, { message: "Expected at most 100 filters" })),
    "The pinned filters: at most 100. One that is new is of `sql`, and its condition is `<column> IN (<values>)`, `NOT IN (<values>)` or `BETWEEN <number> AND <number>`."
  )
}).pipe(withIdentifier("SavedSearchCreate", "The request for a saved search."))
export type SavedSearchCreate = typeof SavedSearchCreate.Type

/**
 * The port to the saved searches of one organization, as `Connections` is to its connections. `create` and `update` fail with
 * `InvalidRequest` if the data source is not there. `delete` deletes the alerts of the search, too.
 *
 * @example
 * ```ts
 * import { SavedSearches } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * export const names = SavedSearches.use((searches) =>
 *   Effect.map(searches.list(), (all) => all.map(({ name }) => name))
 * )
 * ```
 */
export class SavedSearches extends Context.Service<
  SavedSearches,
  OwnedDocuments<{ readonly savedSearchId: SavedSearchId }, SavedSearchCreate, SavedSearch, SavedSearchNotFound>
>()("@headgate/core/dashboard/SavedSearches") {}
