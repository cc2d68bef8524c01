import type { Fields } from "../../format/fields.ts"
import { type Dashboard, fieldsOf, objectsOf } from "./tile.ts"

const ofService = ["id", "createdAt", "updatedAt", "$schema"]

const without = (value: Fields, names: ReadonlyArray<string>): Fields =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))

const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) =>
      field === null || field === undefined ? [] : [[name, withoutNulls(field)]]
    )
  )
}

/** The document of a dashboard as `headgate apply` takes it: without the ids that the service assigns, and what it sets. */
export const documentOf = (dashboard: Dashboard): Fields => {
  const document = fieldsOf(dashboard)
  const lists = ["tiles", "filters"].flatMap((name) =>
    Array.isArray(document[name]) ? [[name, objectsOf(document[name]).map((one) => without(one, ["id"]))]] : []
  )
  const { name, ...rest } = fieldsOf(withoutNulls({ ...without(document, ofService), ...Object.fromEntries(lists) }))
  return { name, tiles: [], tags: [], ...rest }
}

/** The name of the file of a dashboard, as `headgate export` gives it. */
export const fileNameOf = ({ name }: Pick<Dashboard, "name">): string => {
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ["dashboard"]
  return `${words.join("-").slice(0, 80)}.dashboard.json`
}
