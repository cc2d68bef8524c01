import { assert } from "@effect/vitest"
import { ApiKeys, Pipes, Snapshot, Snapshots } from "@headgate/core"
import {
  Authenticator,
  type Credentials,
  OrganizationDashboards,
  type OrganizationSnapshot,
  StoredApiKeys,
  Tokens
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { fixtureCredentials } from "../fixtures/credentials.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { contradictions, newcomer } from "./contradictions.ts"
import type { SnapshotsLawsPorts } from "./snapshotsLaws.ts"

/** What the laws of a replacement are declared with. */
interface ReplaceLawsOptions {
  /** All ports over one empty store; built anew for each law. */
  readonly layer: Layer.Layer<SnapshotsLawsPorts, unknown>
  readonly law: (title: string, body: Effect.Effect<void, unknown, SnapshotsLawsPorts>) => void
  /** How many things the fixture is made of. */
  readonly fixtureSize: number
}

const { keys: keyIds, organizations, pipes: pipeIds, services, tokens: tokenIds } = fixtureIds
const { acme } = organizations
const { keys, tokens } = fixtureCredentials

const importSnapshot = (snapshot: Snapshot) => Snapshots.use((snapshots) => snapshots.import(snapshot))
const replaceWith = (snapshot: Snapshot) => Snapshots.use((snapshots) => snapshots.replace(snapshot))
const held = Snapshots.use((snapshots) => snapshots.export)
const asText = Schema.encodeEffect(Schema.fromJsonString(Snapshot))
const heldText = Effect.flatMap(held, asText)

/** The newcomer alone: an organization, a service, a pipe, a key, a token and a dashboard. */
const newcomerSize = 6
const onlyNewcomer: Snapshot = { organizations: [newcomer] }

const signIn = (credentials: Credentials) =>
  Authenticator.use((authenticator) => authenticator.authenticate(credentials, "192.0.2.7"))

/** Something of every kind made, changed or taken away; answers what lets in whoever was made. */
const liveAWhile = Effect.gen(function* () {
  const key = yield* ApiKeys.use((apiKeys) => apiKeys.create(acme, { name: "made", roles: ["admin"] }))
  const token = yield* Tokens.use((each) => each.create(acme, "made"))
  yield* OrganizationDashboards.use((dashboards) => dashboards.of(acme).create({ name: "made" }))
  yield* signIn(keys.admin)
  const stored = yield* StoredApiKeys
  yield* stored.setState(acme, keyIds.admin, "disabled")
  yield* stored.delete(acme, keyIds.developer)
  yield* Tokens.use((each) => each.revoke(acme, tokenIds.acme))
  yield* Pipes.use((pipes) => pipes.delete({ organizationId: acme, serviceId: services.ingest, pipeId: pipeIds.kafka }))
  yield* importSnapshot(onlyNewcomer)
  const made: ReadonlyArray<Credentials> = [
    { _tag: "KeyCredentials", keyId: key.keyId ?? "", keySecret: key.keySecret ?? Redacted.make("") },
    { _tag: "TokenCredentials", token: token.secret }
  ]
  return made
})

const namesOf = ({ organizations }: Snapshot) => organizations.map(({ name }: OrganizationSnapshot) => name)

/** The laws of `Snapshots.replace`: with `export`, it takes a store back to what it was. */
export const replaceLaws = ({ fixtureSize, law, layer }: ReplaceLawsOptions): void => {
  law(
    "an empty store whose all is replaced holds what an import would have brought, to the byte",
    Effect.gen(function* () {
      const [snapshot, text] = yield* Effect.gen(function* () {
        yield* Effect.flatMap(fixtureSnapshot, importSnapshot)
        return [yield* held, yield* heldText] as const
      }).pipe(Effect.provide(layer, { local: true }))
      assert.deepStrictEqual(yield* replaceWith(snapshot), { removed: 0, added: fixtureSize })
      assert.strictEqual(yield* heldText, text)
    })
  )

  law(
    "replaced with an earlier export, a store holds that again to the byte, whatever was written since",
    Effect.gen(function* () {
      yield* Effect.flatMap(fixtureSnapshot, importSnapshot)
      const [snapshot, text] = [yield* held, yield* heldText]
      yield* liveAWhile
      assert.notStrictEqual(yield* heldText, text)
      const { added, removed } = yield* replaceWith(snapshot)
      // A key, a token, a dashboard and the newcomer more; a key, a token and a pipe less.
      assert.deepStrictEqual([removed, added], [fixtureSize + newcomerSize, fixtureSize])
      assert.strictEqual(yield* heldText, text)
    })
  )

  law(
    "what was made since opens nothing, what was stopped does again",
    Effect.gen(function* () {
      yield* Effect.flatMap(fixtureSnapshot, importSnapshot)
      const snapshot = yield* held
      const made = yield* liveAWhile
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
    "replaced with nothing, a store is empty, and takes all of it again",
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
    "what contradicts only what the store held is no contradiction: it is gone by then",
    Effect.gen(function* () {
      const snapshot = yield* fixtureSnapshot
      yield* importSnapshot(snapshot)
      const moved: Snapshot = {
        organizations: snapshot.organizations
          .slice(0, 1)
          .map((organization) => ({ ...organization, id: newcomer.id, name: "heir" }))
      }
      yield* replaceWith(moved)
      assert.deepStrictEqual(namesOf(yield* held), ["heir"])
    })
  )

  for (const { path, title, toSnapshot } of contradictions.filter(({ ofItself }) => ofItself)) {
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
    "of replacements at once one comes last, and whoever looks sees one of them whole",
    Effect.gen(function* () {
      const fixture = yield* fixtureSnapshot
      yield* replaceWith(fixture)
      // What was left open is assigned by then, so that the texts can be compared.
      const first = yield* held
      yield* replaceWith(onlyNewcomer)
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
