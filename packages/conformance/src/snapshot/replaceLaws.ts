import { assert } from "@effect/vitest"
import { ApiKeys, Pipes, Snapshot, Snapshots } from "@headgate/core"
import { type Credentials, OrganizationDashboards, type OrganizationSnapshot, Tokens } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { fixtureCredentials } from "../fixtures/credentials.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { fixtureSize, importFixture, importSnapshot, signIn, type SnapshotSuite } from "./SnapshotSuite.ts"
import { contradictions, newOrganization } from "./contradictions.ts"

const { keys: keyIds, organizations, pipes: pipeIds, services, tokens: tokenIds } = fixtureIds
const { acme } = organizations
const { keys, tokens } = fixtureCredentials

const replaceWith = (snapshot: Snapshot) => Snapshots.use((snapshots) => snapshots.replace(snapshot))
const held = Snapshots.use((snapshots) => snapshots.export)
const asText = Schema.encodeEffect(Schema.fromJsonString(Snapshot))
const heldText = Effect.flatMap(held, asText)

/** The new organization alone: an organization, a service, a pipe, a key, a token and a dashboard. */
const newOrganizationSize = 6
const onlyNewOrganization: Snapshot = { organizations: [newOrganization] }

/** Creates, changes and deletes resources of every kind, and returns the new credentials. */
const changeEverything = Effect.gen(function* () {
  const key = yield* ApiKeys.use((apiKeys) =>
    apiKeys.create({ organizationId: acme }, { name: "made", roles: ["admin"] })
  )
  const token = yield* Tokens.use((each) => each.create(acme, "made"))
  yield* OrganizationDashboards.use((dashboards) => dashboards.of(acme).create({ name: "made" }))
  yield* signIn(keys.admin)
  const apiKeys = yield* ApiKeys
  yield* apiKeys.update({ organizationId: acme, keyId: keyIds.admin }, { state: "disabled" })
  yield* apiKeys.delete({ organizationId: acme, keyId: keyIds.developer })
  yield* Tokens.use((each) => each.revoke(acme, tokenIds.acme))
  yield* Pipes.use((pipes) => pipes.delete({ organizationId: acme, serviceId: services.ingest, pipeId: pipeIds.kafka }))
  yield* importSnapshot(onlyNewOrganization)
  const made: ReadonlyArray<Credentials> = [
    { _tag: "KeyCredentials", keyId: key.keyId ?? "", keySecret: key.keySecret ?? Redacted.make("") },
    { _tag: "TokenCredentials", token: token.secret }
  ]
  return made
})

const namesOf = ({ organizations }: Snapshot) => organizations.map(({ name }: OrganizationSnapshot) => name)

/** The laws of `Snapshots.replace`. */
export const replaceLaws = ({ emptyStore, law }: SnapshotSuite): void => {
  law(
    "replace on an empty store stores what an import would, byte for byte",
    Effect.gen(function* () {
      const [snapshot, text] = yield* Effect.gen(function* () {
        yield* importFixture
        return [yield* held, yield* heldText] as const
      }).pipe(Effect.provide(emptyStore(), { local: true }))
      assert.deepStrictEqual(yield* replaceWith(snapshot), { removed: 0, added: fixtureSize })
      assert.strictEqual(yield* heldText, text)
    })
  )

  law(
    "replace with an earlier export restores it byte for byte",
    Effect.gen(function* () {
      yield* importFixture
      const [snapshot, text] = [yield* held, yield* heldText]
      yield* changeEverything
      assert.notStrictEqual(yield* heldText, text)
      const { added, removed } = yield* replaceWith(snapshot)
      // A key, a token, a dashboard and the new organization more; a key, a token and a pipe less.
      assert.deepStrictEqual([removed, added], [fixtureSize + newOrganizationSize, fixtureSize])
      assert.strictEqual(yield* heldText, text)
    })
  )

  law(
    "after a replace, later credentials are rejected and earlier ones are accepted again",
    Effect.gen(function* () {
      yield* importFixture
      const snapshot = yield* held
      const made = yield* changeEverything
      yield* Effect.forEach(made, signIn, { discard: true })
      for (const credentials of [keys.admin, keys.developer, tokens.acme]) {
        assert.strictEqual((yield* Effect.flip(signIn(credentials)))._tag, "Unauthorized")
      }
      yield* replaceWith(snapshot)
      for (const credentials of made) assert.strictEqual((yield* Effect.flip(signIn(credentials)))._tag, "Unauthorized")
      yield* Effect.forEach([keys.admin, keys.developer, tokens.acme], signIn, { discard: true })
      const address = { organizationId: acme, serviceId: services.ingest, pipeId: pipeIds.kafka }
      assert.strictEqual((yield* Pipes.use((pipes) => pipes.get(address))).id, pipeIds.kafka)
      assert.strictEqual((yield* OrganizationDashboards.use((dashboards) => dashboards.of(acme).list())).length, 2)
    })
  )

  law(
    "replace with an empty snapshot empties the store, which can be filled again",
    Effect.gen(function* () {
      const snapshot = yield* fixtureSnapshot
      yield* importSnapshot(snapshot)
      assert.deepStrictEqual(yield* replaceWith({ organizations: [] }), { removed: fixtureSize, added: 0 })
      assert.strictEqual(yield* heldText, `{"organizations":[]}`)
      assert.strictEqual((yield* Effect.flip(signIn(keys.admin)))._tag, "Unauthorized")
      assert.deepStrictEqual(yield* importSnapshot(snapshot), { added: fixtureSize, kept: 0 })
    })
  )

  law(
    "replace accepts ids that belonged to another owner in the old content",
    Effect.gen(function* () {
      const snapshot = yield* fixtureSnapshot
      yield* importSnapshot(snapshot)
      const moved: Snapshot = {
        organizations: snapshot.organizations
          .slice(0, 1)
          .map((organization) => ({ ...organization, id: newOrganization.id, name: "heir" }))
      }
      yield* replaceWith(moved)
      assert.deepStrictEqual(namesOf(yield* held), ["heir"])
    })
  )

  for (const { path, title, toSnapshot } of contradictions.filter(({ isInternal }) => isInternal)) {
    law(
      `a replacement with ${title} is an InvalidRequest that names ${path}, and changes nothing`,
      Effect.gen(function* () {
        const snapshot = yield* fixtureSnapshot
        yield* importSnapshot(snapshot)
        const before = yield* heldText
        const error = yield* Effect.flip(replaceWith(toSnapshot(snapshot)))
        assert.strictEqual(error._tag, "InvalidRequest")
        assert.include(
          error.issues.map((issue) => issue.path),
          path
        )
        assert.strictEqual(yield* heldText, before)
      })
    )
  }

  law(
    "concurrent replaces take effect one after the other, and every read sees one of them whole",
    Effect.gen(function* () {
      const fixture = yield* fixtureSnapshot
      yield* replaceWith(fixture)
      // Missing ids were assigned, so the texts can be compared.
      const first = yield* held
      yield* replaceWith(onlyNewOrganization)
      const second = yield* held
      const texts = [yield* asText(first), yield* asText(second)]
      const writers = yield* Effect.forkChild(
        Effect.forEach(
          Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? first : second)),
          replaceWith,
          {
            concurrency: "unbounded",
            discard: true
          }
        )
      )
      while (writers.pollUnsafe() === undefined) {
        assert.include(texts, yield* heldText)
        yield* Effect.yieldNow
      }
      yield* Fiber.join(writers)
      assert.include(texts, yield* heldText)
    })
  )
}
