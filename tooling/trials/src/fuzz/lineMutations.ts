import type { Random } from "../load/Random.ts"
import type { Draft, Mutation } from "./Draft.ts"

const onTarget = (name: string, change: (target: string, random: Random) => string): Mutation => ({
  name,
  fits: () => true,
  apply: (draft, random) => {
    draft.target = change(draft.target, random)
  }
})

const noHttp = (name: string, spoil: (draft: Draft, random: Random) => void): Mutation => ({
  name,
  fits: () => true,
  apply: (draft, random) => {
    spoil(draft, random)
    draft.isHttp = false
  }
})

const splice = (text: string, random: Random, what: string): string => {
  const at = random.between(1, text.length)
  return text.slice(0, at) + what + text.slice(at)
}

const percent = (character: string) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`

const segments = (target: string, random: Random, change: (segment: string) => string): string => {
  const parts = target.split("/")
  const at = random.between(1, parts.length - 1)
  return parts.map((part, index) => (index === at ? change(part) : part)).join("/")
}

const strangeSegments = [
  "..",
  ".",
  "%2e%2e",
  "%00",
  "%ff",
  "%",
  "%zz",
  "%E0%A4%A",
  "%2f",
  "%5c",
  "*",
  ":organizationId",
  "undefined",
  "null",
  "__proto__",
  "constructor",
  "0",
  "-1",
  "{id}",
  "a;b=c",
  "%F0%9F%9A%B0",
  "x".repeat(3000),
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "'%20OR%201=1--"
]

const queries = [
  "?",
  "?&&&",
  "?=",
  "?a=1&a=2",
  "?%ff=%zz",
  "?__proto__[x]=1",
  "?organizationId=x&limit=-1",
  "?" + "a=b&".repeat(1500),
  "?a[b][c]=1",
  "??",
  "#",
  "?#"
]

const methods = ["HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "GET", "POST", "TRACE", "PROPFIND", "QUERY", "M-SEARCH"]

/** What can be odd about the first line of a request. */
export const lineMutations: ReadonlyArray<Mutation> = [
  {
    name: "another method",
    fits: () => true,
    apply: (draft, random) => {
      draft.method = random.pick(methods)
    }
  },
  onTarget("another segment", (target, random) => segments(target, random, () => random.pick(strangeSegments))),
  onTarget("a segment too many", (target, random) =>
    segments(target, random, (part) => `${part}/${random.pick(strangeSegments)}`)
  ),
  onTarget("a segment in upper case", (target, random) => segments(target, random, (part) => part.toUpperCase())),
  onTarget("a letter in percent", (target, random) =>
    segments(target, random, (part) => part.replace(/[a-z]/, (letter) => percent(letter)))
  ),
  onTarget("all in percent", (target, random) =>
    segments(target, random, (part) => Array.from(part, (letter) => percent(letter)).join(""))
  ),
  onTarget("a slash too many", (target, random) => segments(target, random, (part) => `/${part}`)),
  onTarget("a slash behind it", (target) => `${target}/`),
  onTarget("two slashes behind it", (target) => `${target}//`),
  onTarget("a segment dropped", (target) => target.slice(0, target.lastIndexOf("/")) || "/"),
  onTarget("a query", (target, random) => target + random.pick(queries)),
  onTarget("a long path", (target) => `${target}/${"x".repeat(9000)}`),
  onTarget(
    "absolute",
    (target, random) => random.pick(["http://headgate.test", "https://[::1]:1", "ftp://a:b@c"]) + target
  ),
  onTarget("a raw character", (target, random) =>
    splice(target, random, random.pick(['"', "<", "{", "|", "^", "`", "\\"]))
  ),
  {
    name: "an older version",
    fits: () => true,
    apply: (draft) => {
      draft.version = "HTTP/1.0"
    }
  },
  noHttp("a method nobody knows", (draft, random) => {
    draft.method = random.pick(["FOO", "get", "G\u0000T", "", "__proto__"])
  }),
  noHttp("a version nobody knows", (draft, random) => {
    draft.version = random.pick(["HTTP/9.9", "HTTP/1", "HTTPS/1.1", ""])
  }),
  noHttp("a byte that is no part of a target", (draft, random) => {
    draft.target = splice(draft.target, random, random.pick(["\u00e9", "\u0000", " ", "\t", "\u007f"]))
  }),
  noHttp("a target that is none", (draft, random) => {
    draft.target = random.pick(["", "*", "api/v2/dashboards", "?", "http://", "://", "//"])
  })
]
