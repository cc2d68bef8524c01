import { excerpt, makeRedactor } from "../src/ErrorAnswer.ts"
import { assert, describe, it } from "@effect/vitest"
import * as Redacted from "effect/Redacted"

const auth = (...secrets: ReadonlyArray<string>) => ({
  authorization: Redacted.make("Bearer x"),
  secrets: secrets.map((secret) => Redacted.make(secret))
})

describe("redact", () => {
  it("takes every secret out, as often as it stands there", () => {
    const redact = makeRedactor([auth("hunter2", "aHVudGVyMg==")])
    assert.strictEqual(redact("hunter2 and hunter2 as aHVudGVyMg=="), "<redacted> and <redacted> as <redacted>")
  })

  it("takes a longer secret out before one that it begins with", () => {
    assert.strictEqual(makeRedactor([auth("hunter2", "hunter2-and-more")])("is hunter2-and-more"), "is <redacted>")
    assert.strictEqual(
      makeRedactor([auth("hunter2"), auth("hunter2-and-more")])("is hunter2-and-more"),
      "is <redacted>"
    )
  })

  it("leaves words alone that are too short to be a secret", () => {
    assert.strictEqual(makeRedactor([auth("a", "of", "the")])("a name of the service"), "a name of the service")
    assert.strictEqual(makeRedactor([auth("abcd")])("abcd"), "<redacted>")
  })

  it("knows what became known after it was made", () => {
    const known = [auth("first-secret")]
    const redact = makeRedactor(known)
    known.push(auth("second-secret"))
    assert.strictEqual(redact("first-secret second-secret"), "<redacted> <redacted>")
  })

  it("takes a secret for itself, not for a pattern", () => {
    assert.strictEqual(makeRedactor([auth("a.c$&")])("abc a.c$&"), "abc <redacted>")
  })

  const secret = `a+b/c&d=="<é\\'> 😀:z`
  const numeric = (write: (code: number) => string) =>
    Array.from(secret, (character) => write(character.codePointAt(0) ?? 0)).join("")
  const spellings: Readonly<Record<string, string>> = {
    "as it is": secret,
    "percent-encoded": encodeURIComponent(secret),
    "percent-encoded in lower case": encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
    "as a form field": new URLSearchParams({ secret }).toString().slice("secret=".length),
    "in JSON": JSON.stringify(secret).slice(1, -1),
    "in JSON with slashes escaped": JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/"),
    "in JSON, safe for HTML": JSON.stringify(secret).slice(1, -1).replaceAll("<", "\\u003C").replaceAll("&", "\\u0026"),
    "in HTML, named": secret
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("'", "&#39;"),
    "in HTML, decimal": numeric((code) => `&#${code};`),
    "in HTML, hexadecimal": numeric((code) => `&#x${code.toString(16).toUpperCase()};`),
    "in HTML, with zeros": numeric((code) => `&#0${code};`)
  }
  for (const [name, spelling] of Object.entries(spellings)) {
    it(`knows a secret again: ${name}`, () => {
      assert.strictEqual(makeRedactor([auth(secret)])(`before ${spelling} after`), "before <redacted> after")
    })
  }
})

describe("excerpt", () => {
  const redact = makeRedactor([auth("hgt_a+b/c&d==")])

  it("keeps the marker, which looks like a tag, and drops the tags around and about it", () => {
    const page = `<p class="x">token hgt_a&#43;b/c&amp;d&#61;&#61; refused</p><a href="/?t=hgt_a%2Bb%2Fc%26d%3D%3D">again</a>`
    assert.strictEqual(excerpt(page, redact), "token <redacted> refused again")
  })
})
