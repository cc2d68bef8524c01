import { Dashboard, type InvalidRequest, OrganizationId, Pipe, Snapshot as CoreSnapshot } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Input } from "../Input.ts"
import type { Plain } from "../Plain.ts"
import { invalidInput, validateInput } from "../validateInput.ts"

/** The whole state of a service as one document, as `headgate-server export` writes it in the neutral dialect. */
export type Snapshot = Plain<CoreSnapshot>

/** What a test client holds at first: a snapshot, or pipes and dashboards alone, or all of them. Absent: nothing. */
export interface TestClientOptions {
  readonly snapshot?: Input<CoreSnapshot> | undefined
  /**
   * Whose `pipes` and `dashboards` those below are, and whose dashboards the client shows. Absent: the snapshot's first
   * organization, or {@link sampleOrganizationId}.
   */
  readonly organizationId?: string | undefined
  readonly pipes?: ReadonlyArray<Input<Pipe>> | undefined
  readonly dashboards?: ReadonlyArray<Input<Dashboard>> | undefined
}

/** Stands for "some organization" where a test names none. */
export const sampleOrganizationId = "00000000-0000-4000-8000-000000000001"

/** What a test client is filled with, and whose dashboards it shows. */
export interface Seed {
  readonly organizationId: OrganizationId
  readonly snapshots: ReadonlyArray<CoreSnapshot>
}

const fields = {
  snapshot: Schema.optionalKey(CoreSnapshot),
  organizationId: Schema.optionalKey(OrganizationId),
  pipes: Schema.optionalKey(Schema.Array(Pipe)),
  dashboards: Schema.optionalKey(Schema.Array(Dashboard))
}

const check = validateInput(Schema.Struct(fields).annotate({ message: "Expected the options of a test client" }))

// Of the options alone: what they hold is open, as what the service sends is.
const misspelt = (options: TestClientOptions) =>
  Object.keys(options)
    .filter((name) => !Object.hasOwn(fields, name))
    .map((path) => ({ path, message: `Expected one of ${Object.keys(fields).join(", ")}` }))

const servicesOf = (pipes: ReadonlyArray<Pipe>) =>
  Array.from(new Set(pipes.map(({ serviceId }) => serviceId)), (id) => ({
    id,
    name: "service",
    pipes: pipes.filter(({ serviceId }) => serviceId === id)
  }))

/** Reads what a test client is to hold. Fails with `InvalidRequest`, which names every bad field: `pipes[0].id`. */
export const readSeed = (options: TestClientOptions): Effect.Effect<Seed, InvalidRequest> =>
  Effect.flatMap(check(options), ({ dashboards, organizationId, pipes, snapshot }) => {
    const issues = misspelt(options)
    if (issues.length > 0) return Effect.fail(invalidInput(issues))
    const id = organizationId ?? snapshot?.organizations[0]?.id ?? OrganizationId.make(sampleOrganizationId)
    const named = { id, name: "organization", services: servicesOf(pipes ?? []), dashboards: dashboards ?? [] }
    return Effect.succeed({
      organizationId: id,
      snapshots: [...(snapshot ? [snapshot] : []), { organizations: [named] }]
    })
  })
