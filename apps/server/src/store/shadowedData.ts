import { type FieldIssue, type Snapshot, Snapshots } from "@headgate/core"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"

const message =
  "Expected none: a gateway serves those of its upstream. Leave them out: a gateway keeps only keys, organizations and tokens"

/** The pipes and dashboards of a snapshot, which a gateway would store and never serve, as issues with their paths. */
export const shadowedFields = ({ organizations }: Snapshot): ReadonlyArray<FieldIssue> =>
  organizations.flatMap(({ dashboards = [], services = [] }, index) => {
    const organization = `organizations[${index}]`
    return [
      ...services.flatMap(({ pipes = [] }, index) =>
        pipes.length === 0 ? [] : [{ path: `${organization}.services[${index}].pipes`, message }]
      ),
      ...(dashboards.length === 0 ? [] : [{ path: `${organization}.dashboards`, message }])
    ]
  })

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/** Warns of pipes and dashboards in the store of a gateway: from before it was one, or from `headgate-server import`. */
export const warnOfShadowedData = Effect.gen(function* () {
  const snapshots = yield* Snapshots
  const { organizations } = yield* snapshots.export
  const services = organizations.flatMap(({ services = [] }) => services)
  const pipes = services.reduce((sum, { pipes = [] }) => sum + pipes.length, 0)
  const dashboards = organizations.reduce((sum, { dashboards = [] }) => sum + dashboards.length, 0)
  if (pipes + dashboards === 0) return
  yield* Console.error(
    `WARNING: the store holds ${counted(pipes, "pipe")} and ${counted(dashboards, "dashboard")} that are not served: ` +
      "a gateway serves those of its upstream."
  )
})
