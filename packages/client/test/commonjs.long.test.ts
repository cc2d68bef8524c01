// A project of CommonJS, as TypeScript checks it with module node16: its imports become calls of require.
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as Schema from "effect/Schema"
import { afterAll, assert, describe, it } from "vitest"

const run = promisify(execFile)
const folder = fileURLToPath(new URL("..", import.meta.url))
const root = join(folder, "../..")
const compiler = join(dirname(createRequire(join(root, "package.json")).resolve("typescript/package.json")), "bin/tsc")

const project = mkdtempSync(join(realpathSync(tmpdir()), "headgate-commonjs-"))
afterAll(() => rmSync(project, { recursive: true }))

// The package as it is published.
const Manifest = Schema.fromJsonString(Schema.Struct({ publishConfig: Schema.Struct({ exports: Schema.Unknown }) }))
const { publishConfig } = Schema.decodeSync(Manifest)(readFileSync(join(folder, "package.json"), "utf8"))
const installed = join(project, "node_modules/@headgate/client")
mkdirSync(installed, { recursive: true })
cpSync(join(folder, "dist"), join(installed, "dist"), { recursive: true })
const manifest = { name: "@headgate/client", type: "module", exports: publishConfig.exports }
writeFileSync(join(installed, "package.json"), JSON.stringify(manifest))

const program = `
import { createClient, isHeadgateError, type ManagementClient, PipeNotFoundError, type PipeCreate } from "@headgate/client"
import { createClient as createKeys, type ApiKey } from "@headgate/client/keys"
import { createTestClient, sampleOrganizationId } from "@headgate/client/testing"
import whole = require("@headgate/client")

const management = { baseUrl: "https://api.example.com", keyId: "id", keySecret: whole.secret("secret") }
const client: ManagementClient = createClient({ management })
const keys: whole.KeysClient = createKeys({ management }).keys
export const nameOf = (key: ApiKey): string => key.name
export const request = (address: whole.ServiceAddress): PipeCreate => ({ ...address, name: "orders", source: { kafka: {} } })
// @ts-expect-error a source has a kind
export const wrong = (address: whole.ServiceAddress): PipeCreate => ({ ...address, name: "orders", source: {} })
class Missing extends PipeNotFoundError {}
const test: whole.HeadgateClient = createTestClient()
const address = { organizationId: sampleOrganizationId, serviceId: sampleOrganizationId, pipeId: sampleOrganizationId }
test.pipes.get(address).catch((error: unknown) => {
  if (!(error instanceof PipeNotFoundError) || error instanceof Missing || !isHeadgateError(error)) throw error
  console.log(error.address.pipeId === sampleOrganizationId, typeof client.pipes.get, typeof keys.list, typeof require)
})
`

describe("a project of CommonJS", () => {
  it("type-checks with module node16, and runs", async () => {
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "commonjs", private: true }))
    writeFileSync(join(project, "program.ts"), program)
    const compilerOptions = {
      target: "ES2022",
      lib: ["ES2023", "DOM", "ESNext.Disposable"],
      module: "node16",
      strict: true,
      skipLibCheck: false,
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")]
    }
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }))
    const compiled = await run(process.execPath, [compiler, "--project", project, "--pretty", "false"]).catch(
      (error: unknown) => error
    )
    assert.deepStrictEqual(compiled, { stdout: "", stderr: "" })
    assert.include(readFileSync(join(project, "program.js"), "utf8"), 'require("@headgate/client/keys")')
    const { stdout } = await run(process.execPath, ["program.js"], { cwd: project })
    assert.strictEqual(stdout, "true function function function\n")
  })
})
