import { assert, describe, it } from "@effect/vitest"
import { Organizations } from "@headgate/core"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { failsWith } from "../internal/failsWith.ts"

const { acme, globex, unknown } = fixtureIds.organizations

/** The laws of the `Organizations` port. They need only the port, so they also run over an adapter for a network. */
export const organizationsLaws = ({ layer, name }: LawsOptions<Organizations>): void => {
  const createdAt = DateTime.makeUnsafe("2026-01-02T03:04:05Z")
  const law = (title: string, body: Effect.Effect<void, unknown, Organizations>) =>
    it.live(title, () =>
      Effect.flatMap(fixtureSnapshot, ({ organizations: [first, ...others] }) => {
        assert.isDefined(first)
        return Effect.provide(body, layer({ organizations: [{ ...first, createdAt }, ...others] }, acme))
      })
    )

  describe(`${name}: laws of Organizations`, () => {
    law(
      "get returns an organization with its name and the time of its creation",
      Effect.gen(function* () {
        const organizations = yield* Organizations
        const found = yield* organizations.get({ organizationId: acme })
        assert.deepStrictEqual([found.id, found.name], [acme, "Acme"])
        assert.strictEqual(found.createdAt && DateTime.toEpochMillis(found.createdAt), createdAt.epochMilliseconds)
      })
    )

    law(
      "list returns each organization once, as get does",
      Effect.gen(function* () {
        const organizations = yield* Organizations
        const all = yield* organizations.list()
        assert.lengthOf(new Set(all.map(({ id }) => id)), all.length)
        assert.deepStrictEqual(
          all.find(({ id }) => id === acme),
          yield* organizations.get({ organizationId: acme })
        )
        // A store has all of them, a service those of the caller.
        assert.includeMembers(
          [acme, globex],
          all.map(({ id }) => id)
        )
      })
    )

    law(
      "get fails for an unknown organization: OrganizationNotFound or Forbidden",
      Effect.gen(function* () {
        const organizations = yield* Organizations
        const error = yield* failsWith(
          organizations.get({ organizationId: unknown }),
          "OrganizationNotFound",
          "Forbidden"
        )
        if (error._tag === "OrganizationNotFound") assert.strictEqual(error.organizationId, unknown)
      })
    )

    law(
      "whoami names no organization, or that of the caller and what it may do",
      Effect.gen(function* () {
        const { organization, permissions } = yield* Organizations.use((organizations) => organizations.whoami())
        assert.include([undefined, "Acme"], organization?.name)
        // Every key may read its organization.
        assert.isTrue(permissions?.includes("organization:read") ?? organization === undefined)
      })
    )
  })
}
