import { assert, describe, it } from "@effect/vitest"
import { ConnectionId } from "@headgate/core"
import { ConnectionCredentials, OrganizationConnections } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"

type Ports = ConnectionCredentials | OrganizationConnections

const { acme, globex, unknown } = fixtureIds.organizations

const host = "https://db.example.com:8443/?x=1"

/** The laws of the `ConnectionCredentials` port, for adapters that have a store. */
export const connectionCredentialsLaws = ({ layer, name }: LawsOptions<Ports>): void => {
  const law = (title: string, body: Effect.Effect<void, unknown, Ports>) =>
    it.live(title, () => Effect.flatMap(fixtureSnapshot, (snapshot) => Effect.provide(body, layer(snapshot, acme))))

  const read = (connectionId: ConnectionId, organizationId = acme) =>
    Effect.map(
      ConnectionCredentials.use((credentials) => credentials.of(organizationId, connectionId)),
      (target) =>
        target && [target.host, target.username, target.password === undefined ? "" : Redacted.value(target.password)]
    )

  describe(`${name}: laws of ConnectionCredentials`, () => {
    law(
      "the password is the one that was last given, and no text of the target shows it",
      Effect.gen(function* () {
        const connections = yield* OrganizationConnections.use((all) => Effect.succeed(all.of(acme)))
        const password = "pa'ss\u{1F600} word"
        const request = { name: "one", host, username: "reader", password: Redacted.make(password) }
        const { id } = yield* connections.create(request)
        assert.deepStrictEqual(yield* read(id), [host, "reader", password])
        const target = yield* ConnectionCredentials.use((credentials) => credentials.of(acme, id))
        assert.notInclude(JSON.stringify(target) + String(target?.password), password)
        yield* connections.update({ connectionId: id }, { name: "one", host: "http://other" })
        assert.deepStrictEqual((yield* read(id))?.slice(0, 1), ["http://other"])
        assert.deepStrictEqual((yield* read(id))?.slice(2), [password])
        yield* connections.update({ connectionId: id }, { ...request, password: Redacted.make("new") })
        assert.deepStrictEqual(yield* read(id), [host, "reader", "new"])
        yield* connections.update({ connectionId: id }, { ...request, password: null })
        assert.deepStrictEqual(yield* read(id), [host, "reader", ""])
        yield* connections.delete({ connectionId: id })
        assert.isUndefined(yield* read(id))
      })
    )

    law(
      "a connection without a user has none, and only its own organization reads it",
      Effect.gen(function* () {
        const { id } = yield* OrganizationConnections.use((all) => all.of(acme).create({ name: "one", host }))
        assert.deepStrictEqual(yield* read(id), [host, undefined, ""])
        for (const other of [globex, unknown]) assert.isUndefined(yield* read(id, other))
        for (const text of ["c00000000000000000000fff", "\0", "' OR 1=1 --"]) {
          assert.isUndefined(yield* read(ConnectionId.make(text)))
        }
      })
    )
  })
}
