// The published declarations, which the build makes from the schemas.
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, describe, it } from "vitest"
import { packageTypes } from "../build/packageTypes.ts"

const run = promisify(execFile)
const folder = fileURLToPath(new URL("..", import.meta.url))
const root = join(folder, "../..")
const compiler = join(dirname(createRequire(join(root, "package.json")).resolve("typescript/package.json")), "bin/tsc")

// In the package, so that the imports of the sources are found.
const project = mkdtempSync(join(folder, "node_modules/.declarations-"))
afterAll(() => rmSync(project, { recursive: true }))

const typecheck = async (text: string): Promise<string> => {
  writeFileSync(join(project, "program.ts"), text)
  const compilerOptions = {
    target: "ES2023",
    lib: ["ES2023", "DOM", "ESNext.Disposable"],
    module: "nodenext",
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    types: []
  }
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }))
  try {
    await run(process.execPath, [compiler, "--project", project, "--pretty", "false"])
    return ""
  } catch (error) {
    return String(typeof error === "object" && error !== null && "stdout" in error ? error.stdout : error)
  }
}

const declarations = (file: string) => readFileSync(join(folder, "dist", file), "utf8")
const codeOf = (text: string) => text.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/^\/\/\/.*$/gm, "")

describe("the published declarations", () => {
  it("import nothing and name no Effect", () => {
    const code = codeOf(declarations("index.d.ts"))
    assert.notMatch(code, /\bimport\b|\brequire\b|\bfrom "/)
    assert.notMatch(code, /effect|Redacted|\bSchema\b/i)
    assert.match(code, /\binterface Pipe \{/)
  })

  it("of the test client import those of the client and nothing else", () => {
    const code = codeOf(declarations("testing/index.d.ts"))
    assert.deepStrictEqual(
      Array.from(code.matchAll(/\bimport\b.*from "([^"]+)"/g), ([, specifier]) => specifier),
      ["../index.js"]
    )
    assert.notMatch(code, /effect|Redacted|\bSchema\b/i)
  })

  it("describe every field of every interface", () => {
    for (const file of ["index.d.ts", "testing/index.d.ts"]) {
      const lines = declarations(file).split("\n")
      const members = lines.flatMap((line, index) =>
        /^ +readonly [a-z]\w*\??: (?!undefined;)/.test(line) ? [{ line, index }] : []
      )
      assert.isAbove(members.length, 100)
      const bare = members.filter(({ index }) => !lines[index - 1]?.trimEnd().endsWith("*/"))
      assert.deepStrictEqual(
        bare.map(({ line }) => `${file}: ${line.trim()}`),
        []
      )
    }
  })

  it("describe the fields of schemas, which the bundle does not", () => {
    const sentence = "The width, in cells of the grid"
    assert.include(declarations("index.d.ts"), sentence)
    assert.include(declarations("index.d.ts"), "The quantile, from 0 to 1.")
    for (const file of ["index.js", "shared.js"]) assert.notInclude(declarations(file), sentence)
  })

  it("describe every exported type, class and function, and not the schema that it comes from", () => {
    for (const file of ["index.d.ts", "testing/index.d.ts"]) {
      const lines = declarations(file).split("\n")
      const exported = lines.slice(lines.indexOf("export {") + 1, -2).map((line) => line.replace(/^ +(type )?|,$/g, ""))
      const bare = exported.filter((name) => {
        const declared = new RegExp(`^(declare )?(interface|type|class|const|function) ${name}\\b`)
        // A function has a declaration for each of its overloads.
        const before = lines.flatMap((line, index) => (declared.test(line) ? [lines[index - 1] ?? ""] : []))
        return before.length === 0 || before.some((line) => !line.endsWith("*/") || line.includes("The schema of"))
      })
      assert.deepStrictEqual(bare, [], file)
      assert.isAbove(exported.length, 2)
    }
  })

  it("have the types of the sources", async () => {
    const names = Object.keys(packageTypes)
    const isTesting = (name: string) => name.startsWith("Snapshot") || name === "PipeInput" || name === "DashboardInput"
    const own = names.filter((name) => !isTesting(name))
    const testing = names.filter(isTesting)
    // A test client's inputs have no name of their own in the published file.
    const published = (name: string) => (name === "Snapshot" ? `PT.${name}` : `Options${name}`)
    const errors = await typecheck(`
      import type * as S from "../../src/index.ts"
      import type * as ST from "../../src/testing/index.ts"
      import type * as Inputs from "../../src/testing/TestClientOptions.ts"
      import type * as P from "../../dist/index.js"
      import type * as PT from "../../dist/testing/index.js"

      type OptionsSnapshotInput = NonNullable<PT.TestClientOptions["snapshot"]>
      type OptionsPipeInput = NonNullable<PT.TestClientOptions["pipes"]>[number]
      type OptionsDashboardInput = NonNullable<PT.TestClientOptions["dashboards"]>[number]
      // A secret is nominal: each side has its own.
      type Norm<A> = A extends S.Secret | P.Secret ? "secret" : A extends string | number | boolean | null | undefined | Date ? A
        : A extends ReadonlyArray<infer I> ? ReadonlyArray<Norm<I>> : { [K in keyof A]: Norm<A[K]> }
      type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : [A, B]
      const same = <A, B>(_: Equal<Norm<A>, Norm<B>>) => undefined
      ${own.map((name) => `same<S.${name}, P.${name}>(true)`).join("\n")}
      ${testing.map((name) => `same<Inputs.${name}, ${published(name)}>(true)`).join("\n")}
      type Public = keyof typeof S | keyof typeof ST
      type Published = keyof typeof P | keyof typeof PT
      same<Public, Published>(true)
    `)
    assert.strictEqual(errors, "")
  })

  it("accept what the sources accept: the clients, their options and errors", async () => {
    const errors = await typecheck(`
      import * as P from "../../dist/index.js"
      import { createTestClient } from "../../dist/testing/index.js"

      const both: P.HeadgateClient = createTestClient()
      const management: P.ManagementClient = P.createClient({ management: { baseUrl: "x", keyId: "id", keySecret: "s" } })
      const observability = P.createClient({ observability: { baseUrl: "x", token: P.secret("s") }, fetch })
      export const text = async (error: unknown): Promise<string> => {
        const pipe = await both.pipes.get({ organizationId: "", serviceId: "", pipeId: "" }, { timeout: 5 })
        for await (const dashboard of observability.dashboards.list()) console.log(dashboard.name)
        await management.pipes.setState({ organizationId: "", serviceId: "", pipeId: "", command: "stop" })
        // @ts-expect-error a token has no pipes
        observability.pipes
        // @ts-expect-error the command is start, stop or resync
        await management.pipes.setState({ organizationId: "", serviceId: "", pipeId: "", command: "halt" })
        // @ts-expect-error the field is createdAt
        pipe.created
        if (error instanceof P.PipeNotFoundError) return error.address.pipeId + pipe.state
        if (P.isHeadgateError(error) && error._tag === "InvalidRequest") return error.issues[0]?.path ?? ""
        throw new P.RateLimitedError({ message: "slow down", retryAfter: 5 })
      }
    `)
    assert.strictEqual(errors, "")
  })
})
