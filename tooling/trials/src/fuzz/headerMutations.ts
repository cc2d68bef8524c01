import type { Random } from "../load/Random.ts"
import { dropHeader, type Draft, type Mutation, setHeader } from "./Draft.ts"

const set = (name: string, header: string, values: ReadonlyArray<string>): Mutation => ({
  name,
  fits: () => true,
  apply: (draft, random) => setHeader(draft, header, random.pick(values))
})

const add = (name: string, make: (random: Random) => ReadonlyArray<[string, string]>): Mutation => ({
  name,
  fits: () => true,
  apply: (draft, random) => {
    draft.headers.push(...make(random))
  }
})

// Node refuses these itself, before anybody knows what was asked.
const noHttp = (name: string, spoil: (draft: Draft, random: Random) => void): Mutation => ({
  name,
  fits: () => true,
  apply: (draft, random) => {
    spoil(draft, random)
    draft.isHttp = false
  }
})

const contentTypes = [
  "text/plain",
  "application/xml",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "multipart/form-data; boundary=x",
  "application/octet-stream",
  "application/json; charset=utf-16",
  "application/json; charset=nonsense",
  "application/json;",
  "APPLICATION/JSON",
  "application/vnd.api+json",
  "application/json, text/plain",
  "application/jsonp",
  "application/json\t",
  "json",
  "/",
  '"',
  "application/" + "x".repeat(4000)
]

const strangeHeaders: ReadonlyArray<readonly [string, string]> = [
  ["accept", "text/html;q=0"],
  ["accept", "application/xml"],
  ["accept-encoding", "br;q=1, *;q=0"],
  ["accept-language", "\u00ff\u00fe"],
  ["content-encoding", "br"],
  ["content-encoding", "identity, gzip, deflate"],
  ["x-http-method-override", "DELETE"],
  ["x-original-url", "/v1/organizations"],
  ["x-forwarded-for", "not an address, ::::, 999.1.1.1"],
  ["x-forwarded-for", ",,,"],
  ["x-forwarded-proto", "gopher"],
  ["x-forwarded-host", "[::1"],
  ["forwarded", 'for="_gazonk"'],
  ["host", "[[["],
  ["host", "a".repeat(3000)],
  ["x-request-id", "mine"],
  ["traceparent", "00-00000000000000000000000000000000-0000000000000000-00"],
  ["traceparent", "ff-x"],
  ["b3", "d"],
  ["b3", "-1-2-3-4-5"],
  ["cookie", "a=b; __proto__=c; =; ;;;"],
  ["cookie", '"'.repeat(500)],
  ["range", "bytes=-1"],
  ["if-none-match", "*"],
  ["if-modified-since", "yesterday"],
  ["origin", "null"],
  ["connection", "upgrade, close, keep-alive"],
  ["connection", "x-forwarded-for"],
  ["te", "trailers, chunked"],
  ["trailer", "authorization"],
  ["__proto__", "x"],
  ["constructor", "x"],
  ["authorization", "Basic ="],
  ["expect", "100-continue"]
]

const upgrades = ["websocket", "h2c", "TLS/1.0", "", "Basic"]

const authorizations = [
  "",
  "Basic",
  "Basic ****",
  "Basic Og==",
  "Basic /////////w==",
  "Bearer",
  "Bearer  ",
  "Bearer \u00ff",
  "Bearer " + "x".repeat(8000),
  'Digest username="a"',
  "Negotiate",
  ",,,"
]

/** What can be odd about the headers of a request. */
export const headerMutations: ReadonlyArray<Mutation> = [
  set("another content type", "content-type", contentTypes),
  {
    name: "no content type",
    fits: ({ headers }) => headers.some(([name]) => name === "content-type"),
    apply: (draft) => dropHeader(draft, "content-type")
  },
  set("another Authorization", "authorization", authorizations),
  {
    name: "no Authorization",
    fits: () => true,
    apply: (draft) => dropHeader(draft, "authorization")
  },
  add("a strange header", (random) => {
    const [name, value] = random.pick(strangeHeaders)
    return [[name, value]]
  }),
  add("a header twice", (random) => {
    const [name, value] = random.pick(strangeHeaders)
    return [
      [name, value],
      [name, value]
    ]
  }),
  add("many headers", () => Array.from({ length: 300 }, (_, index) => [`x-${index}`, "1"])),
  add("an upgrade", (random) => [
    ["connection", "Upgrade"],
    ["upgrade", random.pick(upgrades)],
    ...(random.next() < 0.5
      ? ([
          ["sec-websocket-version", "13"],
          ["sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="]
        ] satisfies ReadonlyArray<[string, string]>)
      : [])
  ]),
  noHttp("headers that are too large", (draft) => draft.headers.push(["x-large", "x".repeat(20_000)])),
  noHttp("a header with a control character", (draft) => draft.headers.push(["x-odd", "a\u0001b"])),
  noHttp("a header name that is none", (draft) => draft.headers.push(["x odd", "1"])),
  noHttp("a length that is none", (draft, random) =>
    draft.headers.push(["content-length", random.pick(["-1", "abc", "1e3", "99999999999999999999"])])
  ),
  noHttp("length and chunks at once", (draft) => {
    draft.headers.push(["content-length", "3"], ["transfer-encoding", "chunked"])
  }),
  noHttp("a coding nobody knows", (draft) => draft.headers.push(["transfer-encoding", "sparkle"])),
  noHttp("an expectation nobody meets", (draft) => draft.headers.push(["expect", "tea"])),
  noHttp("no Host", (draft) => dropHeader(draft, "host"))
]
