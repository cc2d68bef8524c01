import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { ended, endSession, forgetSession, isKept, keepSession, may, session, signIn } from "../../src/data/session.ts"

const opened = { organizationId: "o", token: "hgs_secret", expiresAt: 1, permissions: ["pipe:read"] }

let stored: Map<string, string>

const isStored = () => [...stored.values()].join("").includes("hgs_secret")

describe("the session", () => {
  beforeEach(() => {
    stored = new Map()
    vi.stubGlobal("sessionStorage", {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => void stored.set(name, value),
      removeItem: (name: string) => void stored.delete(name)
    })
  })
  afterEach(() => {
    forgetSession()
    vi.unstubAllGlobals()
  })

  it("is in the tab's storage only for those who chose it", () => {
    signIn(opened, false)
    assert.deepStrictEqual([session.value, isKept.value, isStored()], [opened, false, false])
    keepSession(true)
    assert.deepStrictEqual([isKept.value, isStored()], [true, true])
    keepSession(false)
    assert.deepStrictEqual([session.value, isKept.value, isStored()], [opened, false, false])
    signIn(opened, true)
    assert.isTrue(isStored())
  })

  it("is nowhere after the sign-out", () => {
    signIn(opened, true)
    forgetSession()
    assert.deepStrictEqual(
      [session.value, ended.value, isStored(), may("pipe:read")],
      [undefined, undefined, false, false]
    )
  })

  it("leaves what it may do to its page when the server ends it, and no token in the storage", () => {
    signIn(opened, true)
    endSession()
    assert.deepStrictEqual([session.value, ended.value, isStored()], [undefined, opened, false])
    assert.deepStrictEqual([may("pipe:read"), may("pipe:delete")], [true, false])
    const next = { ...opened, token: "hgs_next", permissions: ["pipe:delete"] }
    signIn(next, isKept.value)
    assert.deepStrictEqual([session.value, ended.value], [next, undefined])
    assert.deepStrictEqual([may("pipe:read"), may("pipe:delete")], [false, true])
  })

  it("works in a browser that stores nothing", () => {
    vi.stubGlobal("sessionStorage", undefined)
    signIn(opened, true)
    assert.strictEqual(session.value, opened)
    forgetSession()
    assert.isUndefined(session.value)
  })
})
