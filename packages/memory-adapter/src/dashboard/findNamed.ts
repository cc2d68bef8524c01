import type { OrganizationId, ServerError } from "@headgate/core"
import { builtInIds, type FindNamed, kinds, type NamedKind, type NamedResource } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type { MemoryStore } from "../MemoryStore.ts"

type Maps = { readonly [Kind in NamedKind]: ReadonlyMap<string, { readonly organizationId: OrganizationId }> }

/** Reads what a document of an organization names, or what names it. */
export const findNamed = (store: MemoryStore["Service"]) => {
  const maps: Maps = store
  return (organizationId: OrganizationId): FindNamed<ServerError> =>
    Effect.fnUntraced(function* (kind, ids) {
      const { resourceOf }: { readonly resourceOf: (stored: any) => { readonly id: string } } = kinds[kind]
      const map = maps[kind]
      const candidates = ids === undefined ? Array.from(map.values()) : ids.map((id) => map.get(id))
      const found = candidates.flatMap((stored): ReadonlyArray<NamedResource> =>
        stored?.organizationId === organizationId ? [{ ...resourceOf(stored) }] : []
      )
      if (kind !== "connections") return found
      const builtIn = yield* builtInIds(organizationId, ids ?? [])
      return [...found, ...builtIn.map((id) => ({ id }))]
    })
}

/** Deletes alerts. */
export const deleteAlerts = ({ alerts }: MemoryStore["Service"], ids: ReadonlyArray<string>): void => {
  for (const id of ids) alerts.delete(id)
}
