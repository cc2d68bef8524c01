import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ApiKey, CreatedApiKey } from "../../src/key/ApiKey.ts"
import { holdsContract, refusedPaths } from "../contract/holdsContract.ts"
import { namedFields } from "../contract/namedFields.ts"
import { replaceAt } from "../contract/wireDocument.ts"
import { apiKeyDocument, apiKeyFields } from "./keyDocuments.ts"

describe("ApiKey", () => {
  it("names the fields of the contract, each with its type, and no others", () => {
    assert.deepStrictEqual(namedFields(ApiKey), apiKeyFields)
  })

  holdsContract({
    schema: ApiKey,
    fields: apiKeyFields,
    document: apiKeyDocument,
    required: ["id", "name", "ipAccessList[0].source"]
  })

  it.effect("has closed sets of states and roles", () =>
    Effect.gen(function* () {
      for (const state of ["enabled", "disabled"]) {
        yield* Schema.decodeUnknownEffect(ApiKey)(replaceAt(apiKeyDocument, "state", state))
      }
      assert.deepStrictEqual(yield* refusedPaths(ApiKey, replaceAt(apiKeyDocument, "state", "expired")), ["state"])
      const roles = ["admin", "Admin", "owner"]
      assert.deepStrictEqual(yield* refusedPaths(ApiKey, replaceAt(apiKeyDocument, "roles", roles)), [
        "roles[1]",
        "roles[2]"
      ])
    })
  )

  it.effect("decodes an access list with an unknown kind of source", () =>
    Effect.gen(function* () {
      const document = replaceAt(apiKeyDocument, "ipAccessList[0].source", "aws:eu-central-1")
      const key = yield* Schema.decodeUnknownEffect(ApiKey)(document)
      assert.deepStrictEqual<unknown>(yield* Schema.encodeEffect(ApiKey)(key), document)
    })
  )
})

describe("CreatedApiKey", () => {
  const fields = {
    key: "object",
    ...Object.fromEntries(Object.entries(apiKeyFields).map(([path, type]) => [`key.${path}`, type])),
    keyId: "string",
    keySecret: "string"
  } as const
  const document: Schema.Json = { key: apiKeyDocument, keyId: "AbCdEfGhIjKlMnOpXy9Z", keySecret: "hgs_not-a-secret" }

  it("names the fields of the answer to a creation, each with its type, and no others", () => {
    assert.deepStrictEqual(namedFields(CreatedApiKey), fields)
  })

  it.effect("decodes and encodes to an equal document, with and without credentials", () =>
    Effect.gen(function* () {
      for (const variant of [document, { key: apiKeyDocument }]) {
        const created = yield* Schema.decodeUnknownEffect(CreatedApiKey)(variant)
        assert.deepStrictEqual<unknown>(yield* Schema.encodeEffect(CreatedApiKey)(created), variant)
      }
    })
  )

  it.effect("rejects credentials that are not strings, with their path", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* refusedPaths(CreatedApiKey, { ...document, keyId: 1, keySecret: null, key: {} }), [
        "key.id",
        "key.name",
        "keyId",
        "keySecret"
      ])
    })
  )
})
