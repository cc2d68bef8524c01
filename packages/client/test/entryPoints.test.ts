import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import { globSync, readdirSync, readFileSync, statSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { parseSync } from "oxc-parser"
import { rolldown } from "rolldown"
import { assert, describe, it } from "vitest"
import { type AnyOperation, neutral, operations } from "@headgate/http-contract"
import { managementNouns, observabilityNouns } from "../src/nouns.ts"
import { nounOf } from "./support/nouns.ts"

const Exports = Schema.Record(
  Schema.String,
  Schema.Union([
    Schema.Struct({
      types: Schema.Union([Schema.String, Schema.Struct({ require: Schema.String, default: Schema.String })]),
      default: Schema.String
    }),
    Schema.String,
    Schema.Null
  ])
)
const Manifest = Schema.fromJsonString(
  Schema.Struct({
    exports: Exports,
    files: Schema.Array(Schema.String),
    publishConfig: Schema.Struct({ exports: Exports }),
    dependencies: Schema.optionalKey(Schema.Unknown),
    peerDependencies: Schema.optionalKey(Schema.Unknown),
    optionalDependencies: Schema.optionalKey(Schema.Unknown)
  })
)
const manifest = Schema.decodeSync(Manifest)(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

const targets = (exports: typeof manifest.exports) =>
  Object.fromEntries(
    Object.entries(exports).flatMap(([path, target]) =>
      target !== null && typeof target === "object" ? [[path, target]] : []
    )
  )

/** The entry points of the nouns, which stand in one table. */
const nouns = [...Object.keys(managementNouns), ...Object.keys(observabilityNouns)].toSorted()

/** The entry points, and where each is in `dist`. */
const entries = {
  ".": "index",
  ...Object.fromEntries(nouns.map((noun) => [`./${noun}`, `entry/${noun}`])),
  "./testing": "testing/index"
}

describe("the entry points", () => {
  it("are the client, one for each noun, and the test client, each a bundle with its declarations", () => {
    assert.deepStrictEqual<unknown>(
      targets(manifest.publishConfig.exports),
      Record.map(entries, (file) => ({
        types: { require: `./dist/${file}.d.cts`, default: `./dist/${file}.d.ts` },
        default: `./dist/${file}.js`
      }))
    )
  })

  it("have the same JavaScript in this workspace, and the declarations of the compiler", () => {
    assert.deepStrictEqual<unknown>(
      targets(manifest.exports),
      Record.map(entries, (file) => ({ types: `./dist/types/${file}.d.ts`, default: `./dist/${file}.js` }))
    )
  })
})

const management = { baseUrl: "https://api.test", keyId: "id", keySecret: "secret" }
const observability = { baseUrl: "https://api.test", token: "token" }

/** The operations of a noun. */
const tableOf = (noun: string): Readonly<Record<string, AnyOperation>> => {
  const found = Record.toEntries(operations(neutral)).find(([table]) => nounOf[table] === noun)
  if (found === undefined) throw new Error(`no table is known for ${noun}`)
  return found[1]
}

describe.each(nouns)("the entry point %s", (noun) => {
  const load = async (): Promise<Readonly<Record<string, any>>> => await import(`../dist/entry/${noun}.js`)

  it("makes a client of its noun alone, which has its methods", async () => {
    const { createClient } = await load()
    const client = createClient({ management, observability })
    assert.deepStrictEqual(Object.keys(client), [noun, "close"])
    const { of } = client[noun]
    const methods = of === undefined ? client[noun] : of({ organizationId: "", serviceId: "" })
    assert.includeMembers(Object.keys(methods), Object.keys(tableOf(noun)))
    await client.close()
  })

  it("names the API that it needs", async () => {
    const { createClient, InvalidRequestError } = await load()
    const isManagement = Object.hasOwn(managementNouns, noun)
    assert.throws(
      () => createClient(isManagement ? { observability } : { management }),
      InvalidRequestError,
      isManagement ? "management: Missing" : "observability: Missing"
    )
  })

  it("has the error classes of its operations, and they are those of the client", async () => {
    const entry = await load()
    const whole: Readonly<Record<string, unknown>> = await import("../dist/index.js")
    const notFound = Object.values(tableOf(noun)).map((operation) => `${operation.notFound}Error`)
    const isOfOthers = (name: string) => /(?:NotFound|UnreachableState)Error$/.test(name) && !notFound.includes(name)
    const expected = Object.keys(whole).filter((name) => !isOfOthers(name))
    const own = noun === "pipes" ? ["UnreachableStateError"] : []
    assert.sameMembers(Object.keys(entry), [...expected, ...own])
    for (const name of Object.keys(entry))
      if (name !== "createClient") assert.strictEqual(entry[name], whole[name], name)
  })
})

const folder = fileURLToPath(new URL("..", import.meta.url))

const dist = (entry: string) => fileURLToPath(new URL(`../dist/${entry}.js`, import.meta.url))

/** The script of a page, bundled and minified. */
const page = async (program: string): Promise<string> => {
  const build = await rolldown({
    input: "program",
    platform: "browser",
    plugins: [
      {
        name: "program",
        resolveId: (id) => (id === "program" ? id : undefined),
        load: (id) => (id === "program" ? program : undefined)
      }
    ]
  })
  const { output } = await build.generate({ format: "esm", minify: true, codeSplitting: false })
  await build.close()
  assert.lengthOf(output, 1)
  return output[0].code
}

describe("the package", () => {
  it("has no dependency", () => {
    assert.isUndefined(manifest.dependencies ?? manifest.peerDependencies ?? manifest.optionalDependencies)
  })

  it("consists of files that import only one another", () => {
    const entryFiles = nouns.map((noun) => `entry/${noun}.js`)
    const parts = globSync("dist/part/*.js", { cwd: folder }).map((file) => file.replace(/^dist\//, ""))
    assert.include(parts, "part/shared.js")
    for (const file of ["index.js", "testing/index.js", ...entryFiles, ...parts]) {
      const code = readFileSync(new URL(`../dist/${file}`, import.meta.url), "utf8")
      const { dynamicImports, staticImports } = parseSync(file, code).module
      assert.isFalse(code.includes("require("), file)
      assert.lengthOf(dynamicImports, 0, file)
      assert.deepStrictEqual(
        staticImports.map(({ moduleRequest }) => moduleRequest.value).filter((specifier) => !specifier.startsWith(".")),
        [],
        file
      )
    }
  })

  it.each([
    ["pipes", "entry/pipes", "createClient({ management: options }).pipes.get(request)", 64_000],
    ["keys", "entry/keys", "createClient({ management: options }).keys.create(request)", 55_500],
    ["the whole client", "index", "createClient({ management: options }).pipes.get(request)", 77_000]
  ])("adds little to a page with one call, minified and compressed: %s", async (_, entry, call, limit) => {
    const code = await page(
      `import { createClient } from ${JSON.stringify(dist(entry))}
       export const call = (options, request) => ${call}`
    )
    assert.isAtMost(gzipSync(code, { level: 9 }).byteLength, limit)
    assert.include(code, "NotFound")
  })

  it("adds nothing to a page that imports types alone", async () => {
    const imports = ["index", "entry/pipes", "testing/index"].map(
      (entry) => `import {} from ${JSON.stringify(dist(entry))}`
    )
    assert.strictEqual(await page(imports.join("\n")), "")
  })

  it("installs in at most 2 MB", () => {
    const files = manifest.files
      .flatMap((pattern) => globSync(pattern, { cwd: folder }))
      .flatMap((path) => {
        const url = new URL(`../${path}`, import.meta.url)
        const found = statSync(url)
        return found.isDirectory()
          ? readdirSync(url).map((name) => new URL(`../${path}/${name}`, import.meta.url))
          : [url]
      })
    const bytes = files.reduce((sum, url) => sum + statSync(url).size, 0)
    assert.isAbove(bytes, 500_000)
    assert.isAtMost(bytes, 2_000_000)
  })

  it("has the licences of what is bundled", () => {
    const notices = readFileSync(new URL("../dist/THIRD-PARTY-NOTICES.txt", import.meta.url), "utf8")
    assert.match(notices, /^effect 4\.\d+\.\d+ \(MIT\)$/m)
    assert.match(notices, /Permission is hereby granted/)
  })
})
