import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { InvalidRequest } from "../../error/CallError.ts"
import { type FieldIssue, formatFieldIssues } from "../../error/FieldIssue.ts"
import { Dashboard } from "../Dashboard.ts"
import { objectId } from "../storedDocuments.ts"
import { configSchemas } from "./configSchemas.ts"
import { storedFilter } from "./filters.ts"
import { type JsonObject, objectOf, objectsOf } from "./Issues.ts"
import { readBody } from "./readBody.ts"
import {
  type DashboardReferences,
  type FindReferences,
  namedReferences,
  referenceIssue,
  withoutUnknownContainers
} from "./references.ts"
import { answeredTile, storedTile } from "./storedTile.ts"

const isText = (value: unknown): boolean => Predicate.isString(value) && value !== ""

/**
 * The saved query of a dashboard and its language, after a request with `sent` and before it with `stored`. A query without a
 * language is one of Lucene; an empty query, like none, has no language.
 */
const savedQueryOf = (sent: JsonObject, stored: JsonObject): JsonObject => {
  const { savedQuery = stored.savedQuery ?? null } = sent
  if (savedQuery === "") return { savedQuery, savedQueryLanguage: null }
  if (sent.savedQueryLanguage !== undefined && (sent.savedQueryLanguage !== null || !isText(savedQuery)))
    return { savedQuery, savedQueryLanguage: sent.savedQueryLanguage }
  const kept = sent.savedQuery === undefined ? stored.savedQueryLanguage : undefined
  return { savedQuery, savedQueryLanguage: kept ?? (isText(savedQuery) ? "lucene" : null) }
}

const decode = Schema.decodeUnknownEffect(Dashboard)

/** Gives each object an id: its own if `stored` has an object with it, otherwise a new one. */
const withIds = Effect.fnUntraced(function* (objects: ReadonlyArray<JsonObject>, stored: unknown) {
  const known = new Set(objectsOf(stored).map(({ id }) => id))
  return yield* Effect.forEach(
    objects,
    Effect.fnUntraced(function* ({ id, ...rest }) {
      return { id: known.has(id) ? id : yield* objectId(), ...rest }
    })
  )
})

/** The dashboard that a valid request makes of the stored one. A new dashboard is stored with an id and nothing else. */
const apply = Effect.fnUntraced(function* (request: JsonObject, stored: JsonObject) {
  const { containers = stored.containers, savedFilterValues = stored.savedFilterValues, tags = stored.tags } = request
  const filters = request.filters === undefined ? undefined : objectsOf(request.filters).map(storedFilter)
  return {
    id: stored.id,
    name: request.name,
    tiles: yield* withIds(objectsOf(request.tiles).map(storedTile), stored.tiles),
    tags: Array.isArray(tags) ? [...new Set(tags)] : [],
    filters: filters === undefined ? objectsOf(stored.filters) : yield* withIds(filters, stored.filters),
    ...savedQueryOf(request, stored),
    savedFilterValues: objectsOf(savedFilterValues),
    ...(objectsOf(containers).length > 0 ? { containers } : {})
  }
})

const noReferences: DashboardReferences = { sources: [], connectionIds: [], dashboardIds: [] }

/** The first bad reference of a dashboard. Reads what the dashboard names, and nothing if it names nothing. */
const badReference = <E>(dashboard: JsonObject, find: FindReferences<E>, stored?: JsonObject) => {
  const named = namedReferences(dashboard)
  const namesNone = Object.values(named).every((ids) => ids.length === 0)
  return Effect.map(namesNone ? Effect.succeed(noReferences) : find(named), (references) =>
    referenceIssue(dashboard, references, stored)
  )
}

const save = Effect.fnUntraced(function* <E>(
  schema: Schema.Constraint,
  body: unknown,
  find: FindReferences<E>,
  stored: JsonObject
) {
  const { issues, request } = readBody(schema, body)
  if (issues.length > 0) {
    return yield* new InvalidRequest({ message: `Body validation failed: ${formatFieldIssues(issues)}`, issues })
  }
  const dashboard = yield* apply(request, stored)
  const message = yield* badReference(dashboard, find, stored)
  if (message !== undefined) return yield* new InvalidRequest({ message, issues: [{ path: "", message }] })
  return yield* Effect.orDie(decode(dashboard))
})

/**
 * Makes a new dashboard from the body of a request in the `clickhouse` dialect. Tiles have a `config`, or `series`, which are
 * converted to one. The dashboard, its tiles and its filters get ids of 24 hex digits. The result is stored and answered as it
 * is.
 *
 * Fails with `InvalidRequest`: `Body validation failed: tiles.0.w: Required` for a bad body, and the first bad
 * reference otherwise. The texts are those of the service. Contract:
 * docs/wire-contract.md#dashboards-in-the-clickhouse-dialect.
 */
export const makeConfigDashboard = Effect.fnUntraced(function* <E>(body: unknown, find: FindReferences<E>) {
  return yield* save(configSchemas.DashboardCreate, body, find, { id: yield* objectId() })
})

/**
 * The dashboard that a request to replace `stored` makes in the `clickhouse` dialect. `name` and `tiles` are replaced, and so
 * is what else the body has; the rest is kept. The ids of tiles and filters that `stored` has are kept, others are replaced by
 * new ones. The answer of a dashboard is a valid body that changes nothing. Errors as {@link makeConfigDashboard}.
 */
export const replaceConfigDashboard = <E>(stored: Dashboard, body: unknown, find: FindReferences<E>) =>
  save(configSchemas.DashboardUpdate, body, find, stored)

/** The answer of a validation: `normalized` is the body as it was read, and `null` if it is not valid. */
export interface ConfigValidation {
  readonly valid: boolean
  readonly errors: ReadonlyArray<FieldIssue>
  readonly normalized: JsonObject | null
}

/**
 * Validates the body of a request for a new dashboard in the `clickhouse` dialect. Nothing is stored. A bad reference is one
 * error with an empty path.
 */
export const validateConfigDashboard = Effect.fnUntraced(function* <E>(body: unknown, find: FindReferences<E>) {
  const { issues, request } = readBody(configSchemas.DashboardCreate, body)
  const invalid = (errors: ReadonlyArray<FieldIssue>): ConfigValidation => ({ valid: false, errors, normalized: null })
  if (issues.length > 0) return invalid(issues)
  const message = yield* badReference({ ...request, tiles: objectsOf(request.tiles).map(storedTile) }, find)
  if (message !== undefined) return invalid([{ path: "", message }])
  const valid: ConfigValidation = { valid: true, errors: [], normalized: request }
  return valid
})

/**
 * A stored dashboard as the `clickhouse` dialect answers it. It is `dashboard` itself, unless it was stored in the `neutral`
 * dialect or imported: `series` are converted, absent fields filled, references to containers that are gone left out, and
 * tiles of PromQL, which requests cannot have, left out.
 */
export const answerConfigDashboard = Effect.fnUntraced(function* (dashboard: Dashboard) {
  const { containers, filters, id, name, savedFilterValues, savedQuery, savedQueryLanguage, tags, tiles } = dashboard
  return yield* Effect.orDie(
    decode({
      id,
      name,
      tiles: objectsOf(tiles)
        .filter(({ config }) => objectOf(config)?.configType !== "promql")
        .map((tile) => withoutUnknownContainers(answeredTile(tile), containers)),
      tags: tags ?? [],
      filters: objectsOf(filters).map(storedFilter),
      savedQuery: savedQuery ?? null,
      savedQueryLanguage: savedQueryLanguage ?? null,
      savedFilterValues: objectsOf(savedFilterValues),
      ...(objectsOf(containers).length > 0 ? { containers } : {})
    })
  )
})
