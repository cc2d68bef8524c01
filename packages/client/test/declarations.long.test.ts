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
    for (const file of ["index.js", "part/shared.js", "part/dashboards.js", "part/charts.js"])
      assert.notInclude(declarations(file), sentence)
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
    // A test client's inputs have no name of their own in the published file.
    const source = (name: string) => `${isTesting(name) ? "Inputs" : "S"}.${name}`
    const published = (name: string) =>
      !isTesting(name) ? `P.${name}` : name === "Snapshot" ? `PT.${name}` : `Options${name}`
    // A source of a request has one kind, a decision is one, and an endpoint has what its type needs: not so in the types of the sources.
    const narrower = new Set([
      "PipeCreate",
      "PipeUpdate",
      "PipeResume",
      "SchemaDiscovery",
      "ReversePrivateEndpointCreate"
    ])
    const comparison = (name: string) =>
      packageTypes[name]?.direction === "output"
        ? `same<Norm<${source(name)}>, Norm<${published(name)}>>(true)`
        : narrower.has(name)
          ? `takes<Texts<${published(name)}>, Texts<${source(name)}>>(true)`
          : `same<Texts<${source(name)}>, Texts<${published(name)}>>(true)`
    const errors = await typecheck(`
      import type * as S from "../../src/index.ts"
      import type * as ST from "../../src/testing/index.ts"
      import type * as Inputs from "../../src/testing/TestClientOptions.ts"
      import type * as P from "../../dist/index.js"
      import type * as PT from "../../dist/testing/index.js"

      type OptionsSnapshotInput = NonNullable<PT.TestClientOptions["snapshot"]>
      type OptionsPipeInput = NonNullable<PT.TestClientOptions["pipes"]>[number]
      type OptionsDashboardInput = NonNullable<PT.TestClientOptions["dashboards"]>[number]
      // A secret is nominal: each side has its own. So is an unlisted value, which the types of the sources do not have in results.
      type Norm<A> = A extends S.Secret | P.Secret ? "secret" : A extends P.Unlisted ? string & {}
        : A extends string | number | boolean | null | undefined | Date ? A
        : A extends ReadonlyArray<infer I> ? ReadonlyArray<Norm<I>> : { [K in keyof A]: Norm<A[K]> }
      // Which texts a request takes, the tests of types below say.
      type Texts<A> = A extends S.Secret | P.Secret ? "secret" : A extends string ? string
        : A extends number | boolean | null | undefined | Date ? A
        : A extends ReadonlyArray<infer I> ? ReadonlyArray<Texts<I>> : { [K in keyof A]: Texts<A[K]> }
      type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : [A, B]
      const same = <A, B>(_: Equal<A, B>) => undefined
      const takes = <Given, Taken>(_: [Given] extends [Taken] ? true : [Given, Taken]) => undefined
      ${names.map(comparison).join("\n")}
      type Public = keyof typeof S | keyof typeof ST
      type Published = keyof typeof P | keyof typeof PT
      same<Public, Published>(true)
    `)
    assert.strictEqual(errors, "")
  })

  it("take one kind of source in a request, and known values", async () => {
    const errors = await typecheck(`
      import { type ManagementClient, type ObservabilityClient, type Dashboard, type DashboardUpdate, type Pipe, unlisted } from "../../dist/index.js"
      import { createTestClient } from "../../dist/testing/index.js"

      const address = { organizationId: "", serviceId: "", pipeId: "" }
      const pipe = { organizationId: "", serviceId: "", name: "orders" }
      export const calls = async ({ keys, pipes, privateEndpoints, services }: ManagementClient, { dashboards, sources }: ObservabilityClient) => {
        await pipes.create({ ...pipe, source: { kafka: { type: "kafka", topics: "orders" }, validateSamples: true } })
        await pipes.create({ ...pipe, source: { kinesis: null, kafka: { type: unlisted("kafka5") } } })
        // @ts-expect-error a source has a kind
        await pipes.create({ ...pipe, source: {} })
        // @ts-expect-error validateSamples is no kind
        await pipes.create({ ...pipe, source: { validateSamples: true } })
        // @ts-expect-error the kind is kafka
        await pipes.create({ ...pipe, source: { kafak: {} } })
        // @ts-expect-error a source has one kind
        await pipes.create({ ...pipe, source: { kafka: {}, kinesis: {} } })
        // @ts-expect-error a kind has fields
        await pipes.create({ ...pipe, source: { kafka: null } })
        // @ts-expect-error the kind of broker is kafka
        await pipes.create({ ...pipe, source: { kafka: { type: "kafak" } } })
        const broker: string = "kafka"
        // @ts-expect-error a text may be any: unlisted says that it is meant
        await pipes.create({ ...pipe, source: { kafka: { type: broker } } })
        await pipes.create({ ...pipe, source: { kafka: { type: unlisted(broker) } } })
        // @ts-expect-error the format is JSONEachRow
        await pipes.create({ ...pipe, source: { objectStorage: { format: "JSON" } } })
        // @ts-expect-error the mode is cdc, snapshot or cdc_only
        await pipes.create({ ...pipe, source: { postgres: { settings: { replicationMode: "CDC" } } } })
        await pipes.discoverSchema({ organizationId: "", serviceId: "", source: { kafka: {} } })
        // @ts-expect-error a source has a kind
        await pipes.discoverSchema({ organizationId: "", serviceId: "", source: {} })
        await pipes.update({ ...address, source: { validateSamples: true } })
        await pipes.update({ ...address, source: { postgres: { tableMappingsToAdd: [] } } })
        // @ts-expect-error the pipe has one kind of source
        await pipes.update({ ...address, source: { postgres: {}, mysql: {} } })
        // @ts-expect-error the engine is ReplacingMergeTree
        await pipes.update({ ...address, destination: { tableDefinition: { engine: { type: "Replacing" } } } })
        await pipes.setState({ ...address, command: unlisted("pause") })
        // @ts-expect-error the command is start, stop or resync
        await pipes.setState({ ...address, command: "pause" })
        await pipes.resume({ ...address, from: "ledger" })
        // @ts-expect-error one decision
        await pipes.resume({ ...address, from: "ledger", pending: "skip" })
        // @ts-expect-error a decision
        await pipes.resume(address)
        await pipes.waitFor(address, unlisted("Hibernating"))
        // @ts-expect-error the state is Running
        await pipes.waitFor(address, "Runing")
        // @ts-expect-error the command is start, stop or awake
        await services.setState({ organizationId: "", serviceId: "", command: "wake" })
        // @ts-expect-error the role is developer
        await keys.create({ organizationId: "", name: "ci", roles: ["dev"] })
        await keys.create({ organizationId: "", name: "ci", roles: [unlisted("auditor")], state: unlisted("paused") })
        // @ts-expect-error the state is disabled
        await keys.create({ organizationId: "", name: "ci", state: "disable" })
        const endpoint = { organizationId: "", serviceId: "", description: "" }
        await privateEndpoints.create({ ...endpoint, type: "VPC_ENDPOINT_SERVICE", vpcEndpointServiceName: "" })
        await privateEndpoints.create({ ...endpoint, type: unlisted("AZURE_PRIVATE_LINK") })
        // @ts-expect-error this type needs the name of the service
        await privateEndpoints.create({ ...endpoint, type: "VPC_ENDPOINT_SERVICE", mskClusterArn: "" })
        // @ts-expect-error the type is VPC_RESOURCE
        await privateEndpoints.create({ organizationId: "", serviceId: "", description: "", type: "VPC" })
        // @ts-expect-error the kind is log
        await sources.create({ name: "logs", kind: "logs", connection: "" })
        // @ts-expect-error the function is count
        await dashboards.create({ name: "", tiles: [{ x: 0, y: 0, w: 1, h: 1, series: [{ type: "time", aggFn: "counts" }] }] })
        // @ts-expect-error the display type is line
        await dashboards.create({ name: "", tiles: [{ x: 0, y: 0, w: 1, h: 1, config: { displayType: "lines", sourceId: "", select: [] } }] })
        // The client may have the organization and the service.
        await pipes.create({ name: "orders", source: { kafka: {} } })
        await pipes.get({ pipeId: "" })
        await keys.list()
        // @ts-expect-error a pipe has an id
        await pipes.get({ organizationId: "", serviceId: "" })
        // @ts-expect-error a test writes the service of each pipe
        createTestClient({ pipes: [{ id: "", name: "", state: "Running" }] })
        // What was read is written again, newer values included.
        await dashboards.update("", { ...(await dashboards.get("")), name: "renamed" })
      }
      export const rewritten = (dashboard: Dashboard): DashboardUpdate => dashboard
      // A result may have newer values: they are texts, and compared with texts.
      export const isNew = ({ state }: Pipe): boolean => state === "Hibernating"
      export const shown = ({ state }: Pipe): string => state
      createTestClient({ pipes: [{ id: "", serviceId: "", name: "", state: "Running" }] })
      createTestClient({ pipes: [{ id: "", serviceId: "", name: "", state: unlisted("Hibernating") }] })
      // @ts-expect-error the state is Running
      createTestClient({ pipes: [{ id: "", serviceId: "", name: "", state: "Runing" }] })
      export const copied = async () => createTestClient({ snapshot: await createTestClient().snapshot() })
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
