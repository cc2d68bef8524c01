import { differences } from "./differences.ts"
import { listsWithIds } from "./kinds.ts"
import type { Match, RemoteResource } from "./matchResources.ts"
import { digestOf, elementsOf, fieldAt, isMembers, type Members } from "./members.ts"
import { pairElements } from "./pairElements.ts"
import type { ResourceChange } from "./Step.ts"

// Services of both eras require an id of some elements, and replace one that they do not know. Ids have 24 hex digits.
const newId = (element: Members, index: number): string => digestOf({ index, element }).slice(0, 24)

/**
 * Gives the elements of a list the ids of those that the service has, so that what is about an element, such as an alert, stays
 * with it. A new element has a new id.
 */
const withIds = (wanted: ReadonlyArray<unknown>, values: unknown, documents: unknown): ReadonlyArray<unknown> => {
  const pairs = pairElements(elementsOf(values), wanted)
  const idAt = (index: number | undefined) =>
    index === undefined ? undefined : fieldAt(elementsOf(documents)[index], "id")
  return wanted.map((element, index) =>
    isMembers(element) ? { id: idAt(pairs[index]) ?? newId(element, index), ...element } : element
  )
}

/** What a service keeps where a request leaves it out. */
const keptFields = ["filters", "savedQuery", "savedQueryLanguage", "savedFilterValues", "containers"]

/** The request that replaces a dashboard: what only the service has is taken away. */
const replacement = (wanted: Members, { document, value }: RemoteResource): Members => ({
  ...Object.fromEntries(
    keptFields.flatMap((name) => (Object.hasOwn(value, name) ? [[name, Array.isArray(value[name]) ? [] : null]] : []))
  ),
  ...wanted,
  ...Object.fromEntries(
    listsWithIds.flatMap((name) =>
      Array.isArray(wanted[name]) ? [[name, withIds(elementsOf(wanted[name]), value[name], document[name])]] : []
    )
  )
})

/** Whether the document and the answer are those of the last time that the document was applied. */
export const isApplied = ({ entry, file }: Match, { value }: RemoteResource): boolean =>
  entry?.applied?.document === digestOf(file.value) && entry.applied.answer === digestOf(value)

/**
 * What changes a dashboard. A service may fill in what the document leaves out: the dashboard is unchanged if both the document
 * and the answer are those of the last time that it was applied.
 */
export const dashboardChange = ({ entry, file }: Match, remote: RemoteResource): ResourceChange => {
  const found = differences(remote.value, file.value, "exact")
  return found.length === 0 || isApplied({ entry, file }, remote)
    ? { differences: [], steps: [], immutable: [] }
    : { differences: found, steps: [{ type: "update", request: replacement(file.value, remote) }], immutable: [] }
}
