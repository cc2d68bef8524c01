// Bodies that are not JSON, and odd headers and request lines.
import type { Random } from "@headgate/harness/Random"
import { gzipSync } from "node:zlib"
import { bodyOf, type Draft, dropHeader, hasBody, type Mutation, type Mutations, setBody, setHeader } from "./Draft.ts"

const onBytes =
  (change: (bytes: Buffer, random: Random) => Buffer): Mutation =>
  (draft, random) =>
    hasBody(draft) ? setBody(draft, change(bodyOf(draft) ?? Buffer.alloc(0), random)) : false

const onText = (change: (text: string, random: Random) => string): Mutation =>
  onBytes((bytes, random) => Buffer.from(change(bytes.toString("utf8"), random)))

const insert = (bytes: Buffer, random: Random, what: Uint8Array): Buffer => {
  const at = random.between(0, bytes.length)
  return Buffer.concat([bytes.subarray(0, at), what, bytes.subarray(at)])
}

/** Not UTF-8: overlong forms, halves of surrogates, stray continuation bytes, code points above U+10FFFF. */
const brokenUtf8 = "ff c0af e080af eda080 f4908080 80 c3 fefe".split(" ")
const listNames = ["tiles", "tags", "roles", "ipAccessList", "name", "series", "unknown"]
const wrongElements = ["1", "{}", "[]", "null", '""', '{"x":"1"}', '{"source":"x"}', '{"series":[{}]}']
const sizes = [1000, 60_000, 70_000, 1_000_000]

const notNumbers = "NaN,Infinity,-Infinity,1e999,01,+1,0x10,1.,.5,- 1,undefined,1_0".split(",")

export const bodyMutations: Mutations = {
  truncated: onBytes((bytes, random) => bytes.subarray(0, random.between(0, bytes.length))),
  "broken UTF-8": onBytes((bytes, random) => insert(bytes, random, Buffer.from(random.pick(brokenUtf8), "hex"))),
  "an inserted byte": onBytes((bytes, random) => insert(bytes, random, random.bytes(1))),
  "random bytes": onBytes((_, random) => random.bytes(random.between(1, 200))),
  empty: onBytes(() => Buffer.alloc(0)),
  "UTF-16": onBytes((bytes) => Buffer.from(`\ufeff${bytes.toString("utf8")}`, "utf16le")),
  "too large": onBytes((bytes, random) =>
    Buffer.concat([Buffer.alloc(random.pick([1_048_576, 1_100_000]), " "), bytes])
  ),
  "a byte order mark": onText((text) => `\ufeff${text}`),
  "not a number": onText((text, random) => text.replace(/:\s*("[^"]*"|[\d.]+)/, `:${random.pick(notNumbers)}`)),
  "a key twice": onText((text, random) => {
    const field = /"[^"\\]*":("[^"\\]*"|[\d.]+|null|true|false)/.exec(text)?.[0] ?? `"name":"twice"`
    return text.replace("{", random.next() < 0.5 ? `{${field},` : `{"name":"twice","name":1,`)
  }),
  "__proto__ in the text": onText((text) => text.replace("{", `{"__proto__":{"name":"inherited","roles":["admin"]},`)),
  "nested very deeply": onText((text, random) => {
    const depth = random.pick([33, 3000, 100_000])
    const [open = "", close = ""] = random.pick([
      ["[", "]"],
      ['{"a":', "}"]
    ])
    return text.replace("{", `{"deep":${open.repeat(depth)}1${close.repeat(depth)},`)
  }),
  "a long list of mistakes": onText((text, random) => {
    const element = random.pick(wrongElements)
    const count = Math.floor(random.pick(sizes) / (element.length + 1))
    const list = Array.from({ length: count }, () => element).join(",")
    return text.replace(/}$/, `,"${random.pick(listNames)}":[${list}]}`)
  }),
  "many unknown fields": onText((text, random) => {
    const count = Math.floor(random.pick(sizes) / 12)
    const fields = Array.from({ length: count }, (_, index) => `"f${index}":1`).join(",")
    return text.replace(/}$/, `,${fields}}`)
  }),
  "text behind it": onText((text, random) => text + random.pick(["}", "]", "null", "\u0000", " x", text])),
  "single quotes": onText((text) => text.replaceAll('"', "'")),
  "a comment": onText((text) => text.replace("{", "{/* x */")),
  "a trailing comma": onText((text) => text.replace(/}$/, ",}")),
  "a raw line break in a string": onText((text) => text.replace(/"([^"\\])/, '"\n$1')),
  "a lone surrogate": onText((text) => text.replace(/"([^"\\])/, '"\\ud800$1')),
  "a broken escape": onText((text, random) =>
    text.replace(/"([^"\\])/, `"${random.pick(["\\x41", "\\u12", "\\", "\\U0041"])}$1`)
  ),
  "gzip without the header": onBytes((bytes) => gzipSync(bytes)),
  "gzip with the header": (draft) => {
    if (!hasBody(draft)) return false
    setBody(draft, gzipSync(bodyOf(draft) ?? ""))
    setHeader(draft, "content-encoding", "gzip")
  },
  chunked: (draft) => {
    if (!hasBody(draft)) return false
    draft.isChunked = true
  },
  "a body where none belongs": (draft, random) => {
    if (hasBody(draft)) return false
    setBody(draft, random.pick([Buffer.from("{}"), Buffer.from("{"), random.bytes(20)]))
    setHeader(draft, "content-type", "application/json")
  }
}

const setTo =
  (header: string, values: ReadonlyArray<string>): Mutation =>
  (draft, random) =>
    setHeader(draft, header, random.pick(values))

/** Node rejects these itself, before any route is known. */
const notHttp =
  (change: (draft: Draft, random: Random) => unknown): Mutation =>
  (draft, random) => {
    change(draft, random)
    draft.isHttp = false
  }

const contentTypes = [
  ..."text/plain|application/xml|application/x-www-form-urlencoded|multipart/form-data|json|/|".split("|"),
  ..."multipart/form-data; boundary=x|application/octet-stream|application/json; charset=utf-16".split("|"),
  ..."application/json; charset=nonsense|application/json;|APPLICATION/JSON|application/vnd.api+json".split("|"),
  ...'application/json, text/plain|application/jsonp|application/json\t|"'.split("|"),
  `application/${"x".repeat(4000)}`
]

const strangeHeaders = [
  ..."accept: text/html;q=0|accept: application/xml|accept-encoding: br;q=1, *;q=0|content-encoding: br".split("|"),
  ..."content-encoding: identity, gzip, deflate|x-http-method-override: DELETE|x-original-url: /v1/x".split("|"),
  ..."x-forwarded-for: not an address, ::::, 999.1.1.1|x-forwarded-for: ,,,|x-forwarded-proto: gopher".split("|"),
  ...'x-forwarded-host: [::1|forwarded: for="_gazonk"|host: [[[|x-request-id: mine|traceparent: ff-x'.split("|"),
  ..."traceparent: 00-00000000000000000000000000000000-0000000000000000-00|b3: d|b3: -1-2-3-4-5".split("|"),
  ..."cookie: a=b; __proto__=c; =; ;;;|range: bytes=-1|if-none-match: *|if-modified-since: yesterday".split("|"),
  ..."origin: null|connection: upgrade, close, keep-alive|connection: x-forwarded-for|te: trailers, chunked".split("|"),
  ..."trailer: authorization|__proto__: x|constructor: x|authorization: Basic =|expect: 100-continue".split("|"),
  "accept-language: \u00ff\u00fe",
  `cookie: ${'"'.repeat(500)}`,
  `host: ${"a".repeat(3000)}`
].map((line): readonly [string, string] => {
  const [name = "", ...value] = line.split(": ")
  return [name, value.join(": ")]
})

const authorizations = [
  ...'|Basic|Basic ****|Basic Og==|Basic /////////w==|Bearer|Bearer  |Bearer \u00ff|Digest username="a"'.split("|"),
  ..."Negotiate|,,,".split("|"),
  `Bearer ${"x".repeat(8000)}`
]

export const headerMutations: Mutations = {
  "another content type": setTo("content-type", contentTypes),
  "no content type": (draft) => dropHeader(draft, "content-type"),
  "another Authorization": setTo("authorization", authorizations),
  "no Authorization": (draft) => dropHeader(draft, "authorization"),
  "a strange header": (draft, random) => void draft.headers.push(random.pick(strangeHeaders)),
  "a header twice": (draft, random) => {
    const header = random.pick(strangeHeaders)
    draft.headers.push(header, header)
  },
  "many headers": (draft) =>
    void draft.headers.push(...Array.from({ length: 300 }, (_, index) => [`x-${index}`, "1"] as const)),
  "an upgrade": (draft, random) => {
    const protocol = random.pick(["websocket", "h2c", "TLS/1.0", "", "Basic"])
    draft.headers.push(["connection", "Upgrade"], ["upgrade", protocol])
    if (random.next() < 0.5) {
      draft.headers.push(["sec-websocket-version", "13"], ["sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="])
    }
  },
  "headers that are too large": notHttp((draft) => draft.headers.push(["x-large", "x".repeat(20_000)])),
  "a control character in a header": notHttp((draft) => draft.headers.push(["x-odd", "a\u0001b"])),
  "a space in a header name": notHttp((draft) => draft.headers.push(["x odd", "1"])),
  "a bad length": notHttp((draft, random) =>
    draft.headers.push(["content-length", random.pick(["-1", "abc", "1e3", "99999999999999999999"])])
  ),
  "length and chunks at once": notHttp((draft) =>
    draft.headers.push(["content-length", "3"], ["transfer-encoding", "chunked"])
  ),
  "an unknown transfer coding": notHttp((draft) => draft.headers.push(["transfer-encoding", "sparkle"])),
  "an unknown expectation": notHttp((draft) => draft.headers.push(["expect", "tea"])),
  "no Host": notHttp((draft) => dropHeader(draft, "host"))
}

const strangeSegments = [
  ...".. . %2e%2e %00 %ff % %zz %E0%A4%A %2f %5c * :organizationId undefined null __proto__ constructor 0 -1".split(
    " "
  ),
  ..."{id} a;b=c %F0%9F%9A%B0 00000000-0000-0000-0000-000000000000 '%20OR%201=1--".split(" "),
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "x".repeat(3000)
]
const queries = [
  ..."? ?&&& ?= ?a=1&a=2 ?%ff=%zz ?__proto__[x]=1 ?organizationId=x&limit=-1 ?a[b][c]=1 ?? # ?#".split(" "),
  `?${"a=b&".repeat(1500)}`
]
const methods = "HEAD OPTIONS PUT PATCH DELETE GET POST TRACE PROPFIND QUERY M-SEARCH".split(" ")

const percent = (character: string) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`

const onTarget =
  (change: (target: string, random: Random) => string): Mutation =>
  (draft, random) => {
    draft.target = change(draft.target, random)
  }

const onSegment = (change: (segment: string, random: Random) => string): Mutation =>
  onTarget((target, random) => {
    const parts = target.split("/")
    const at = random.between(1, parts.length - 1)
    return parts.map((part, index) => (index === at ? change(part, random) : part)).join("/")
  })

const insertInto = (text: string, random: Random, what: string): string => {
  const at = random.between(1, text.length)
  return text.slice(0, at) + what + text.slice(at)
}

export const lineMutations: Mutations = {
  "another method": (draft, random) => {
    draft.method = random.pick(methods)
  },
  "another segment": onSegment((_, random) => random.pick(strangeSegments)),
  "another organization": onTarget((target, random) =>
    target.replace(/(?<=\/organizations\/)[^/?]+/, () => random.uuid())
  ),
  "one segment more": onSegment((part, random) => `${part}/${random.pick(strangeSegments)}`),
  "a segment in upper case": onSegment((part) => part.toUpperCase()),
  "an escaped letter": onSegment((part) => part.replace(/[a-z]/, percent)),
  "an escaped segment": onSegment((part) => Array.from(part, percent).join("")),
  "a doubled slash": onSegment((part) => `/${part}`),
  "a trailing slash": onTarget((target) => `${target}/`),
  "two trailing slashes": onTarget((target) => `${target}//`),
  "one segment less": onTarget((target) => target.slice(0, target.lastIndexOf("/")) || "/"),
  "a query": onTarget((target, random) => target + random.pick(queries)),
  "a long path": onTarget((target) => `${target}/${"x".repeat(9000)}`),
  "an absolute target": onTarget(
    (target, random) => random.pick(["http://headgate.test", "https://[::1]:1", "ftp://a:b@c"]) + target
  ),
  "a raw character": onTarget((target, random) =>
    insertInto(target, random, random.pick(['"', "<", "{", "|", "^", "`", "\\"]))
  ),
  "HTTP/1.0": (draft) => {
    draft.version = "HTTP/1.0"
  },
  "an unknown method": notHttp((draft, random) => {
    draft.method = random.pick(["FOO", "get", "G\u0000T", "", "__proto__"])
  }),
  "an unknown version": notHttp((draft, random) => {
    draft.version = random.pick(["HTTP/9.9", "HTTP/1", "HTTPS/1.1", ""])
  }),
  "an illegal byte in the target": notHttp((draft, random) => {
    draft.target = insertInto(draft.target, random, random.pick(["\u00e9", "\u0000", " ", "\t", "\u007f"]))
  }),
  "an illegal target": notHttp((draft, random) => {
    draft.target = random.pick(["", "*", "api/v2/dashboards", "?", "http://", "://", "//"])
  })
}
