import { assert, describe, it } from "@effect/vitest"
import * as Redacted from "effect/Redacted"
import { scrubber } from "../src/Scrub.ts"

const auth = (...secrets: ReadonlyArray<string>) => ({
  authorization: Redacted.make("Bearer x"),
  secrets: secrets.map((secret) => Redacted.make(secret))
})

describe("scrub", () => {
  it("takes every secret out, as often as it stands there", () => {
    const scrub = scrubber([auth("hunter2", "aHVudGVyMg==")])
    assert.strictEqual(scrub("hunter2 and hunter2 as aHVudGVyMg=="), "<redacted> and <redacted> as <redacted>")
  })

  it("takes a longer secret out before one that it begins with", () => {
    assert.strictEqual(scrubber([auth("hunter2", "hunter2-and-more")])("is hunter2-and-more"), "is <redacted>")
    assert.strictEqual(scrubber([auth("hunter2"), auth("hunter2-and-more")])("is hunter2-and-more"), "is <redacted>")
  })

  it("leaves words alone that are too short to be a secret", () => {
    assert.strictEqual(scrubber([auth("a", "of", "the")])("a name of the service"), "a name of the service")
    assert.strictEqual(scrubber([auth("abcd")])("abcd"), "<redacted>")
  })

  it("knows what became known after it was made", () => {
    const known = [auth("first-secret")]
    const scrub = scrubber(known)
    known.push(auth("second-secret"))
    assert.strictEqual(scrub("first-secret second-secret"), "<redacted> <redacted>")
  })

  it("takes a secret for itself, not for a pattern", () => {
    assert.strictEqual(scrubber([auth("a.c$&")])("abc a.c$&"), "abc <redacted>")
  })
})
