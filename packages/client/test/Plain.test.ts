import { Pipe } from "@headgate/core"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { assert, describe, it } from "vitest"
import { toJson } from "../src/Input.ts"
import { plain } from "../src/Plain.ts"
import { secret } from "../src/Secret.ts"

const document = {
  id: "33333333-3333-4333-8333-333333333333",
  serviceId: "22222222-2222-4222-8222-222222222222",
  name: "orders",
  state: "SomethingNew",
  createdAt: "2026-01-02T03:04:05.678901+02:00",
  updatedAt: null,
  future: { at: "2026-01-02", list: [1, null, { deep: true }] },
  source: { objectStorage: { connectionString: "AccountKey=abc", future: [] } }
}

describe("plain", () => {
  it("returns the JSON of the service unchanged, except for secrets", () => {
    const shown = plain(Schema.decodeUnknownSync(Pipe)(document))
    const connectionString = shown.source?.objectStorage?.connectionString
    assert.isTrue(Redacted.isRedacted(connectionString))
    assert.deepStrictEqual<unknown>(toJson(shown), document)
    assert.deepStrictEqual(JSON.parse(JSON.stringify(shown)), {
      ...document,
      source: { objectStorage: { connectionString: "<redacted:connectionString>", future: [] } }
    })
  })

  it("keeps undefined and null", () => {
    assert.isUndefined(plain(undefined))
    assert.isNull(plain(null))
  })

  it("does not let a field change the prototype", () => {
    const shown: object = plain(JSON.parse(`{"__proto__":{"isAdmin":true}}`))
    assert.strictEqual(Object.getPrototypeOf(shown), Object.prototype)
    assert.notProperty(Object.create(shown), "isAdmin")
  })
})

describe("toJson", () => {
  it("writes times and secrets as text, and leaves out undefined", () => {
    assert.deepStrictEqual(
      toJson({ at: new Date(0), secret: secret("s"), none: undefined, list: [{ a: undefined }] }),
      {
        at: "1970-01-01T00:00:00.000Z",
        secret: "s",
        list: [{}]
      }
    )
  })

  it("converts objects with fields, and leaves other objects as they are", () => {
    class Owner {
      readonly team = "data"
      readonly since = new Date(0)
    }
    const owners = new Map([["a", 1]])
    assert.deepStrictEqual<unknown>(toJson({ owners, owner: new Owner() }), {
      owners,
      owner: { team: "data", since: "1970-01-01T00:00:00.000Z" }
    })
  })

  it("keeps an invalid Date", () => {
    const never = new Date(Number.NaN)
    assert.strictEqual(toJson(never), never)
  })
})
