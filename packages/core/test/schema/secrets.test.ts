import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Formatter from "effect/Formatter"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { inspect } from "node:util"
import { makeToken } from "../../src/access/makeToken.ts"
import { CreatedApiKey } from "../../src/key/ApiKey.ts"
import { makeApiKey } from "../../src/key/makeApiKey.ts"
import { Pipe } from "../../src/pipe/Pipe.ts"
import { organizationId } from "../ids.ts"
import { connectionString, pipeDocuments } from "../pipe/pipeDocuments.ts"
import { webCrypto } from "../webCrypto.ts"

/** Every way in which a value gets into a log, an error or a terminal by accident. */
const shown = Effect.fnUntraced(function* (value: object) {
  const lines: Array<string> = []
  const into = (line: string) => {
    lines.push(line)
  }
  yield* Effect.log("value", value).pipe(
    Effect.annotateLogs({ value }),
    Effect.provide(Logger.layer([Logger.formatJson, Logger.formatLogFmt].map((logger) => Logger.map(logger, into))))
  )
  return [
    ...lines,
    JSON.stringify(value),
    inspect(value, { depth: Infinity, showHidden: true, getters: true }),
    String(value),
    Formatter.format(value),
    Formatter.formatJson(value),
    ...Object.values(value).map(String)
  ].join("\n")
})

describe("a secret of a domain value", () => {
  it.effect("the connection string of object storage is in plain text only in the encoded document", () =>
    Effect.gen(function* () {
      const pipe = yield* Schema.decodeUnknownEffect(Pipe)(pipeDocuments.objectStorage)
      const secret = pipe.source?.objectStorage?.connectionString
      assert.isTrue(Redacted.isRedacted(secret))
      const text = `${yield* shown(pipe)}\n${String(secret)}`
      assert.include(text, "<redacted:connectionString>")
      assert.notInclude(text, connectionString)

      const encoded = yield* Schema.encodeEffect(Pipe)(pipe)
      assert.include(JSON.stringify(encoded), connectionString)
    })
  )

  it.effect("is not in the error of an invalid document", () =>
    Effect.gen(function* () {
      const document = { ...pipeDocuments.objectStorage, name: 7 }
      const error = yield* Effect.flip(Schema.decodeUnknownEffect(Pipe)(document, { errors: "all" }))
      assert.notInclude(yield* shown(error), connectionString)
      const misplaced = { source: { objectStorage: { connectionString: [connectionString] } } }
      const refused = yield* Effect.flip(Schema.decodeUnknownEffect(Pipe)(misplaced, { errors: "all" }))
      assert.notInclude(yield* shown(refused), connectionString)
    })
  )

  it.effect("the secret of a new key is in plain text only in the encoded document", () =>
    Effect.gen(function* () {
      const { created, record } = yield* makeApiKey(organizationId, { name: "ci" })
      assert.isTrue(Redacted.isRedacted(created.keySecret))
      const secret = created.keySecret === undefined ? "" : Redacted.value(created.keySecret)
      assert.match(secret, /^hgs_/)
      const text = yield* shown(created)
      assert.include(text, "<redacted:keySecret>")
      assert.notInclude(text, secret)

      const encoded = yield* Schema.encodeEffect(CreatedApiKey)(created)
      assert.strictEqual(encoded.keySecret, secret)
      const decoded = yield* Schema.decodeUnknownEffect(CreatedApiKey)(encoded)
      assert.notInclude(yield* shown(decoded), secret)

      // What a store keeps holds neither of the credentials, redacted or not.
      const stored = JSON.stringify(record) + inspect(record, { depth: Infinity })
      assert.notInclude(stored, secret)
      assert.isString(created.keyId)
      assert.notInclude(stored, String(created.keyId))
    }).pipe(Effect.provide(webCrypto))
  )

  it.effect("is a bearer token", () =>
    Effect.gen(function* () {
      const issued = yield* makeToken(organizationId, "ci")
      const text = yield* shown(issued)
      assert.include(text, "<redacted:token>")
      assert.notInclude(text, Redacted.value(issued.created.secret))
    }).pipe(Effect.provide(webCrypto))
  )
})
