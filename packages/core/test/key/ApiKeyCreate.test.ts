import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { decodeRequest } from "../../src/error/validate.ts"
import { fieldIssues } from "../../src/error/FieldIssue.ts"
import { ApiKeyCreate } from "../../src/key/ApiKeyCreate.ts"
import { refusedPaths } from "../contract/holdsContract.ts"
import { namedFields } from "../contract/namedFields.ts"
import { fieldPaths, removeAt, replaceAt, withUnknownFields } from "../contract/wireDocument.ts"
import { apiKeyCreateDocument, apiKeyCreateFields } from "./keyDocuments.ts"

const decode = Schema.decodeUnknownEffect(ApiKeyCreate)
const encode = Schema.encodeEffect(ApiKeyCreate)
const refused = (request: unknown) => refusedPaths(ApiKeyCreate, request)

describe("ApiKeyCreate", () => {
  it("names the fields of the contract, each with its type, and no others", () => {
    assert.deepStrictEqual(namedFields(ApiKeyCreate), apiKeyCreateFields)
    assert.sameMembers([...fieldPaths(apiKeyCreateDocument)], Object.keys(apiKeyCreateFields))
  })

  it.effect("decodes and encodes to an equal document", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual<unknown>(yield* encode(yield* decode(apiKeyCreateDocument)), apiKeyCreateDocument)
    })
  )

  describe("a field that it does not name", () => {
    const issuesOf = (request: unknown) =>
      Effect.map(Effect.flip(decodeRequest(ApiKeyCreate)(request)), ({ issues }) => issues)

    it.effect("is refused, with the near name: a typo must not open a key to the world", () =>
      Effect.gen(function* () {
        const entry = { source: "192.0.2.1", descripton: "office" }
        assert.deepStrictEqual(yield* issuesOf({ name: "ci", ipAcessList: [], owner: "me", ipAccessList: [entry] }), [
          { path: "ipAcessList", message: "Unknown field: did you mean ipAccessList?" },
          { path: "owner", message: "Unknown field" },
          { path: "ipAccessList[0].descripton", message: "Unknown field: did you mean description?" }
        ])
      })
    )

    it.effect("the ids of roles may be an empty list, which some clients always send, and are UUIDs", () =>
      Effect.gen(function* () {
        yield* decodeRequest(ApiKeyCreate)({ name: "ci", assignedRoleIds: [] })
        assert.deepStrictEqual(yield* issuesOf({ name: "ci", assignedRoleIds: ["6f1c2d3e"] }), [
          { path: "assignedRoleIds[0]", message: "Expected a UUID such as 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f" }
        ])
      })
    )

    it.effect("is refused at every depth and together with other faults", () =>
      Effect.gen(function* () {
        const paths = (yield* issuesOf(withUnknownFields(apiKeyCreateDocument))).map(({ path }) => path)
        assert.sameMembers(
          paths,
          ["", "hashData.", "ipAccessList[0]."].flatMap((at) => [`${at}newInTheService`, `${at}x-null`])
        )
        assert.deepStrictEqual(
          (yield* issuesOf({ name: 1, role: [] })).map(({ path }) => path),
          ["role", "name"]
        )
      })
    )

    it.effect("is refused before it is sent", () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(encode({ name: "ci", ipAcessList: [] }))
        assert.include(error.message, "did you mean ipAccessList?")
      })
    )

    it.effect("costs little, however many there are", () =>
      Effect.gen(function* () {
        const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`field${index}`, 1]))
        const issues = yield* issuesOf({ name: "ci", ...many, ["x".repeat(100_000)]: 1 })
        assert.lengthOf(issues, 21)
        assert.deepStrictEqual(issues.at(-1), { path: "", message: "and at least 980 more" })
        const [long] = yield* issuesOf({ name: "ci", ["x".repeat(100_000)]: 1 })
        assert.isBelow(long?.path.length ?? 0, 100)
      })
    )
  })

  it.effect("requires only a name of 1 to 255 characters", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual<unknown>(yield* decode({ name: "a" }), { name: "a" })
      yield* decode({ name: "a".repeat(255) })
      yield* decode({ name: "🚰".repeat(255) })
      for (const request of [
        {},
        { name: "" },
        { name: " \t " },
        { name: "a".repeat(256) },
        { name: null },
        { name: 1 }
      ]) {
        assert.deepStrictEqual(yield* refused(request), ["name"])
      }
    })
  )

  describe("expireAt", () => {
    it.effect("reads absent as absent, and null and the empty string as null: the key never expires", () =>
      Effect.gen(function* () {
        assert.notProperty(yield* decode({ name: "ci" }), "expireAt")
        for (const expireAt of [null, ""]) {
          const request = yield* decode({ name: "ci", expireAt })
          assert.isNull(request.expireAt)
          assert.deepStrictEqual<unknown>(yield* encode(request), { name: "ci", expireAt: null })
        }
      })
    )

    it.effect("decodes a time and encodes it to the same text", () =>
      Effect.gen(function* () {
        const request = yield* decode({ name: "ci", expireAt: "2027-01-02T03:04:05+01:00" })
        assert.isTrue(DateTime.isDateTime(request.expireAt))
        assert.deepStrictEqual<unknown>(yield* encode(request), { name: "ci", expireAt: "2027-01-02T03:04:05+01:00" })
      })
    )

    it.effect("rejects a value that is not a time", () =>
      Effect.gen(function* () {
        for (const expireAt of [" ", "never", "90d", "2027-01-02", 1_798_859_045, false]) {
          assert.deepStrictEqual(yield* refused({ name: "ci", expireAt }), ["expireAt"])
        }
      })
    )
  })

  describe("roles", () => {
    it.effect("may be absent; if present, there is at least one", () =>
      Effect.gen(function* () {
        yield* decode({ name: "ci", roles: ["query_endpoints"] })
        const issues = fieldIssues(yield* Effect.flip(decode({ name: "ci", roles: [] })))
        assert.deepStrictEqual(issues, [
          { path: "roles", message: "Expected at least 1 role: admin, developer or query_endpoints" }
        ])
      })
    )

    it.effect("are a closed set", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* refused({ name: "ci", roles: ["admin", "owner", 1] }), ["roles[1]", "roles[2]"])
      })
    )
  })

  it.effect("takes the states enabled and disabled only", () =>
    Effect.gen(function* () {
      yield* decode({ name: "ci", state: "enabled" })
      yield* decode({ name: "ci", state: "disabled" })
      assert.deepStrictEqual(yield* refused({ name: "ci", state: "ENABLED" }), ["state"])
    })
  )

  describe("hashData", () => {
    const members = ["keyIdHash", "keyIdSuffix", "keySecretHash"]

    it.effect("is all three members or none", () =>
      Effect.gen(function* () {
        yield* decode({ name: "ci", hashData: null })
        assert.deepStrictEqual(
          yield* refused({ name: "ci", hashData: {} }),
          members.map((member) => `hashData.${member}`)
        )
        for (const member of members) {
          const path = `hashData.${member}`
          assert.deepStrictEqual(yield* refused(removeAt(apiKeyCreateDocument, path)), [path])
          assert.deepStrictEqual(yield* refused(replaceAt(apiKeyCreateDocument, path, null)), [path])
        }
      })
    )

    it.effect("holds base64 of SHA-256 digests", () =>
      Effect.gen(function* () {
        const malformed = [
          "",
          "secret",
          "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU",
          "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU=",
          "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
          "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"
        ]
        for (const path of ["hashData.keyIdHash", "hashData.keySecretHash"]) {
          for (const value of malformed) {
            assert.deepStrictEqual(yield* refused(replaceAt(apiKeyCreateDocument, path, value)), [path])
          }
        }
      })
    )

    it.effect("holds a suffix of 4 characters", () =>
      Effect.gen(function* () {
        const path = "hashData.keyIdSuffix"
        for (const value of ["", "abc", "abcde"]) {
          assert.deepStrictEqual(yield* refused(replaceAt(apiKeyCreateDocument, path, value)), [path])
        }
      })
    )
  })

  describe("ipAccessList", () => {
    const withSources = (...sources: ReadonlyArray<string>) => ({
      name: "ci",
      ipAccessList: sources.map((source) => ({ source }))
    })

    it.effect("takes addresses and CIDR blocks of both families, and may be empty", () =>
      Effect.gen(function* () {
        yield* decode(withSources())
        yield* decode(
          withSources(
            "192.0.2.1",
            "192.0.2.7/24",
            "0.0.0.0/0",
            "2001:db8::1",
            "2001:DB8::/32",
            "::/0",
            "::ffff:192.0.2.1"
          )
        )
      })
    )

    it.effect.each(
      [
        "",
        "office",
        "example.com",
        "192.0.2",
        "192.0.2.256",
        "192.0.2.01",
        "192.0.2.1/33",
        "192.0.2.1/-1",
        "192.0.2.1/",
        "/24",
        "192.0.2.0/255.255.255.0",
        "192.0.2.1-192.0.2.9",
        " 192.0.2.1",
        "192.0.2.1:443",
        "3221225985",
        "2001:db8::/129",
        "2001:db8:::1",
        "[::1]",
        "fe80::1%eth0"
      ].map((source) => ({ source }))
    )("refuses the source '$source' by its path", ({ source }) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* refused(withSources("192.0.2.1", source)), ["ipAccessList[1].source"])
      })
    )

    it.effect("requires a source in every entry", () =>
      Effect.gen(function* () {
        const request = { name: "ci", ipAccessList: [{ description: "office" }, { source: null }, "192.0.2.1"] }
        assert.deepStrictEqual(yield* refused(request), [
          "ipAccessList[0].source",
          "ipAccessList[1].source",
          "ipAccessList[2]"
        ])
      })
    )
  })

  it.effect("reports every wrong field at once", () =>
    Effect.gen(function* () {
      const request = { name: "", roles: [], state: "on", expireAt: "soon", ipAccessList: [{ source: "x" }] }
      assert.sameMembers(
        [...(yield* refused(request))],
        ["name", "roles", "state", "expireAt", "ipAccessList[0].source"]
      )
    })
  )
})
