import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"

/** One issue of one field. `path` is written as `tiles[2].w`, and is empty for the whole value. */
export const FieldIssue = Schema.Struct({
  path: Schema.String.annotate({ description: "The path of the field. Empty for the whole value." }),
  message: Schema.String.annotate({ description: "What is expected there." })
}).annotate({ description: "One issue of one field." })
export type FieldIssue = typeof FieldIssue.Type

const standardIssues = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => (issue._tag === "MissingKey" ? "Missing: it is required" : SchemaIssue.defaultLeafHook(issue))
})

type PathSegment = PropertyKey | { readonly key: PropertyKey }

const segmentText = (segment: PathSegment, index: number): string => {
  const key = typeof segment === "object" ? segment.key : segment
  return typeof key === "number" ? `[${key}]` : index === 0 ? String(key) : `.${String(key)}`
}

/**
 * Writes the path of a field as in JavaScript.
 *
 * @example
 * ```ts
 * import { formatPath } from "@headgate/core/adapter"
 *
 * console.log(formatPath(["tiles", 2, "w"])) // tiles[2].w
 * ```
 */
export const formatPath = (segments: ReadonlyArray<PathSegment>): string => segments.map(segmentText).join("")

/** The issues of effect as field issues, for a value at a path. */
const issuesAt = (path: ReadonlyArray<PropertyKey>, issue: SchemaIssue.Issue): ReadonlyArray<FieldIssue> =>
  standardIssues(issue).issues.map(({ message, path: below = [] }) => ({
    path: formatPath([...path, ...below]),
    message
  }))

/** The most issues of one request that an error names. Nobody reads more. */
export const maxIssues = 20

/** The most that are counted. A request of 1 MiB may have hundreds of thousands. */
export const maxCountedIssues = 1000

/**
 * Collects the issues of one request: it keeps the first 20 and counts at most 1000. The search for issues stops when it is
 * full.
 */
export class IssueCollector {
  readonly #kept: Array<FieldIssue> = []
  #count = 0

  get count(): number {
    return this.#count
  }

  get isFull(): boolean {
    return this.#count >= maxCountedIssues
  }

  add(path: ReadonlyArray<PropertyKey>, issue: SchemaIssue.Issue): void {
    for (const each of issuesAt(path, issue)) this.report(each)
  }

  report(issue: FieldIssue): void {
    this.#count++
    if (this.#kept.length < maxIssues) this.#kept.push(issue)
  }

  /** The issues that were kept, and one without a path that says how many more there are. */
  get issues(): ReadonlyArray<FieldIssue> {
    const more = this.#count - this.#kept.length
    if (more === 0) return this.#kept
    return [...this.#kept, { path: "", message: `and ${this.isFull ? "at least " : ""}${more} more` }]
  }
}

/**
 * The issues of a schema error, each with a path and a message. Decode with `errors: "all"` to get all of them.
 *
 * @example
 * ```ts
 * import { ApiKeyCreate, fieldIssues, formatFieldIssues } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 * import * as Schema from "effect/Schema"
 *
 * const decoded = Schema.decodeUnknownEffect(ApiKeyCreate)({ name: "", state: "off" }, { errors: "all" })
 * const issues = fieldIssues(Effect.runSync(Effect.flip(decoded)))
 * console.log(formatFieldIssues(issues)) // name: Expected 1 to 255 characters; state: Expected "enabled" | "disabled"
 * ```
 */
export const fieldIssues = (error: Schema.SchemaError): ReadonlyArray<FieldIssue> => issuesAt([], error.issue)

/**
 * Writes issues in one line: `roles: Expected ...; ipAccessList[0].source: Expected ...`. {@link fieldIssues} shows its
 * use.
 */
export const formatFieldIssues = (issues: ReadonlyArray<FieldIssue>): string =>
  issues.map((issue) => (issue.path === "" ? issue.message : `${issue.path}: ${issue.message}`)).join("; ")
