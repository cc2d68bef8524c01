import { type Fields, isFields } from "../../format/fields.ts"
import { isSame, settled, tilesOf } from "./edit.ts"
import { type Dashboard, fieldsOf, nameOf, type Tile } from "./tile.ts"

const places = ["x", "y", "w", "h"]
const ofService = ["id", "createdAt", "updatedAt", "tiles"]

/** The names of the fields that differ. */
const differing = (one: Fields, other: Fields, without: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.from(new Set([...Object.keys(one), ...Object.keys(other)])).filter(
    (name) => !without.includes(name) && !isSame(one[name], other[name])
  )

const tileChanges = (before: Tile, after: Tile): ReadonlyArray<string> => {
  const [one, other] = [fieldsOf(before), fieldsOf(after)]
  const name = nameOf(before)
  const fields = differing(one, other, [...places, "id", "name"]).flatMap((field) =>
    field === "config" ? differing(fieldsOf(one[field]), fieldsOf(other[field]), []) : [field]
  )
  return [
    ...(before.name === after.name ? [] : [`The tile “${name}” is called “${nameOf(after)}”.`]),
    ...(places.every((place) => isSame(one[place], other[place])) ? [] : [`The tile “${name}” has another place.`]),
    ...(fields.length === 0 ? [] : [`The tile “${name}” shows something else: ${fields.join(", ")}.`])
  ]
}

/** What was changed of a dashboard, in sentences. */
export const changesOf = (before: Dashboard, after: Dashboard): ReadonlyArray<string> => {
  const [old, present] = [before, after].map((one) => new Map(tilesOf(one).map((tile) => [String(tile.id), tile])))
  const fields = differing(fieldsOf(before), fieldsOf(after), [...ofService, "name"])
  return [
    ...(before.name === after.name ? [] : [`The dashboard is called “${after.name}”.`]),
    ...(fields.length === 0 ? [] : [`The dashboard has other ${fields.join(", ")}.`]),
    ...Array.from(old ?? []).flatMap(([id, tile]) => {
      const now = present?.get(id)
      return now === undefined ? [`The tile “${nameOf(tile)}” was removed.`] : tileChanges(tile, now)
    }),
    ...Array.from(present ?? []).flatMap(([id, tile]) =>
      old?.has(id) === true ? [] : [`The tile “${nameOf(tile)}” was added.`]
    )
  ]
}

/** What three versions of the same make. */
export interface Merged<A> {
  readonly value: A
  /** What both have changed, each to something else: mine counts. */
  readonly conflicts: ReadonlyArray<string>
}

const mergeFields = (base: Fields, mine: Fields, theirs: Fields, path: string): Merged<Fields> => {
  const conflicts: Array<string> = []
  const value: Record<string, unknown> = {}
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const [before, my, their] = [base[name], mine[name], theirs[name]]
    let field = my
    if (isSame(my, before)) field = their
    else if (!isSame(their, before) && !isSame(their, my)) {
      if (isFields(my) && isFields(their)) {
        const merged = mergeFields(fieldsOf(before), my, their, `${path}${name}.`)
        field = merged.value
        conflicts.push(...merged.conflicts)
      } else conflicts.push(`${path}${name}`)
    }
    if (field !== undefined) value[name] = field
  }
  return { value, conflicts }
}

const idsOf = (dashboard: Dashboard) => new Map(tilesOf(dashboard).map((tile) => [String(tile.id), tile]))

/**
 * My changes of `base` on top of theirs. What one has removed and the other changed stays; of what both have changed, mine counts and is
 * named.
 */
export const mergeOf = (base: Dashboard, mine: Dashboard, theirs: Dashboard): Merged<Dashboard> => {
  const [before, my, their] = [idsOf(base), idsOf(mine), idsOf(theirs)]
  const conflicts: Array<string> = []
  const merged = (id: string): Tile | undefined => {
    const [old, one, other] = [before.get(id), my.get(id), their.get(id)]
    if (one === undefined || other === undefined) {
      const left = one ?? other
      if (old === undefined || left === undefined) return left
      if (isSame(left, old)) return undefined
      conflicts.push(`the tile “${nameOf(left)}”, which was removed: it stays`)
      // One that the service no longer has gets a new id.
      return one === undefined ? left : ({ ...left, id: `new-${id}` } as Tile)
    }
    const found = mergeFields(fieldsOf(old), fieldsOf(one), fieldsOf(other), "")
    conflicts.push(...found.conflicts.map((field) => `the tile “${nameOf(other)}”: ${field}`))
    return found.value as unknown as Tile
  }
  const tiles = [...new Set([...their.keys(), ...my.keys()])].flatMap((id) => merged(id) ?? [])
  const without = (dashboard: Dashboard) =>
    Object.fromEntries(Object.entries(dashboard).filter(([name]) => !ofService.includes(name)))
  const rest = mergeFields(without(base), without(mine), without(theirs), "")
  const known = Object.fromEntries(Object.entries(theirs).filter(([name]) => ofService.includes(name)))
  const value = { ...known, ...rest.value, tiles } as unknown as Dashboard
  return { value: settled(value), conflicts: [...rest.conflicts.map((name) => `the ${name}`), ...conflicts] }
}
