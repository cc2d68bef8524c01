import type { FieldIssue } from "@headgate/core"
import { idConflict, type ImportSummary, type SnapshotRow, type SnapshotRows } from "@headgate/core/adapter"
import type { MemoryStore } from "../MemoryStore.ts"

/** What an import would do to one map of the store. */
interface Plan {
  readonly issues: ReadonlyArray<FieldIssue>
  readonly summary: ImportSummary
  readonly apply: () => void
}

const plan = <K extends string, A>(options: {
  readonly rows: ReadonlyArray<SnapshotRow<A>>
  readonly map: Map<K, A>
  readonly field: string
  readonly keyOf: (value: A) => K
  /** Two values of one key may only differ in what an import leaves alone: their owner must be the same. */
  readonly ownerOf: (value: A) => string
}): Plan => {
  const { field, keyOf, map, ownerOf, rows } = options
  const fresh = rows.filter(({ value }) => !map.has(keyOf(value)))
  return {
    issues: rows.flatMap(({ path, value }) => {
      const held = map.get(keyOf(value))
      return held === undefined || ownerOf(held) === ownerOf(value) ? [] : [idConflict(`${path}.${field}`)]
    }),
    summary: { added: fresh.length, kept: rows.length - fresh.length },
    apply: () => fresh.forEach(({ value }) => map.set(keyOf(value), value))
  }
}

/** Keys and tokens are known again by a hash: another one with the id of a new one is a contradiction. */
const takenIds = <A>(options: {
  readonly rows: ReadonlyArray<SnapshotRow<A>>
  readonly map: Map<string, A>
  readonly hashOf: (value: A) => string
  readonly idOf: (value: A) => string
}): ReadonlyArray<FieldIssue> => {
  const { hashOf, idOf, map, rows } = options
  const held = new Set(Array.from(map.values(), idOf))
  return rows.flatMap(({ path, value }) =>
    !map.has(hashOf(value)) && held.has(idOf(value)) ? [idConflict(`${path}.id`)] : []
  )
}

/** What an import of these rows would do; nothing is changed before `apply`. */
export const planImport = (store: MemoryStore["Service"], rows: SnapshotRows): Plan => {
  const plans = [
    plan({
      rows: rows.organizations,
      map: store.organizations,
      field: "id",
      keyOf: (organization) => organization.id,
      ownerOf: () => ""
    }),
    plan({
      rows: rows.services,
      map: store.services,
      field: "id",
      keyOf: (service) => service.id,
      ownerOf: (service) => service.organizationId
    }),
    plan({
      rows: rows.pipes,
      map: store.pipes,
      field: "id",
      keyOf: ({ pipe }) => pipe.id,
      ownerOf: ({ organizationId, pipe }) => `${organizationId}/${pipe.serviceId}`
    }),
    plan({
      rows: rows.keys,
      map: store.keys,
      field: "hashData.keyIdHash",
      keyOf: (record) => record.keyIdHash,
      ownerOf: (record) => record.organizationId
    }),
    plan({
      rows: rows.tokens,
      map: store.tokens,
      field: "tokenHash",
      keyOf: (token) => token.tokenHash,
      ownerOf: (token) => token.organizationId
    }),
    plan({
      rows: rows.dashboards,
      map: store.dashboards,
      field: "id",
      keyOf: ({ dashboard }) => dashboard.id,
      ownerOf: ({ organizationId }) => organizationId
    })
  ]
  return {
    issues: [
      ...plans.flatMap(({ issues }) => issues),
      ...takenIds({
        rows: rows.keys,
        map: store.keys,
        hashOf: ({ keyIdHash }) => keyIdHash,
        idOf: ({ key }) => key.id
      }),
      ...takenIds({
        rows: rows.tokens,
        map: store.tokens,
        hashOf: ({ tokenHash }) => tokenHash,
        idOf: ({ token }) => token.id
      })
    ],
    summary: {
      added: plans.reduce((sum, { summary }) => sum + summary.added, 0),
      kept: plans.reduce((sum, { summary }) => sum + summary.kept, 0)
    },
    apply: () => plans.forEach(({ apply }) => apply())
  }
}
