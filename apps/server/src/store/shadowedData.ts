import { type FieldIssue, type Snapshot, Snapshots } from "@headgate/core"
import { type DocumentKindName, documentKinds, mapKinds } from "@headgate/core/adapter"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"

type Organization = Snapshot["organizations"][number]

/** What an upstream answers for, by the field of an organization that holds it: the rest is the gateway's own. */
const shadowed = {
  services: "services",
  roles: "roles",
  dashboards: "dashboards",
  connections: "connections",
  sources: "data sources",
  ...mapKinds<{ readonly [Kind in DocumentKindName]: string }>(Struct.keys(documentKinds), (kind) =>
    kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  )
} satisfies Record<Exclude<keyof Organization, "id" | "name" | "createdAt" | "keys" | "tokens">, string>

const countsOf = (organization: Organization) =>
  Struct.keys(shadowed).map((field) => ({ field, count: organization[field]?.length ?? 0 }))

const message =
  "Expected none: a gateway serves those of its upstream. Leave them out: a gateway keeps only keys, organizations and tokens"

/** What a gateway would store of a snapshot and never serve, as issues with their paths. */
export const shadowedFields = ({ organizations }: Snapshot): ReadonlyArray<FieldIssue> =>
  organizations.flatMap((organization, index) =>
    countsOf(organization)
      .filter(({ count }) => count > 0)
      .map(({ field }) => ({ path: `organizations[${index}].${field}`, message }))
  )

/** Warns of what the store of a gateway holds and never serves: from before it was one, or from `headgate-server import`. */
export const warnOfShadowedData = Effect.gen(function* () {
  const snapshots = yield* Snapshots
  const counts = (yield* snapshots.export).organizations.flatMap(countsOf)
  const held = Object.entries(shadowed).flatMap(([name, noun]) => {
    const count = counts.reduce((sum, { count, field }) => (field === name ? sum + count : sum), 0)
    return count === 0 ? [] : [`${noun}: ${count}`]
  })
  if (held.length === 0) return
  yield* Console.error(
    `WARNING: the store holds what is not served (${held.join(", ")}). A gateway serves those of its upstream.`
  )
})
