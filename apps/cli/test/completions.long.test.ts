import { join } from "node:path"
import { assert, beforeEach, describe, it } from "vitest"
import { describeShells, type Shell } from "../../../packages/command-line/test/support/shells.ts"
import { configHome } from "./configHome.ts"
import { enveloped, type Reply, service } from "./Service.ts"
import { everything, headgateProcess, organization, serviceId } from "./headgate.ts"

const script = async (shell: string) => (await headgateProcess(["completion", shell])).stdout
const bin = join(import.meta.dirname, "../bin/headgate.mjs")

describeShells({ name: "headgate", script, bin }, (complete) => {
  it.each<[string, ReadonlyArray<string>, ReadonlyArray<string>]>([
    ["verbs", ["key", "c"], ["create"]],
    ["global flags of a command", ["dashboard", "list", "--dia"], ["--dialect"]],
    ["global flags before a command", ["--org"], ["--organization"]],
    ["values of a global flag", ["pipe", "list", "--dialect", ""], ["clickhouse", "neutral"]],
    ["verbs after a global flag with its value", ["--dialect", "neutral", "key", "c"], ["create"]],
    ["values of a flag", ["key", "create", "--role", "dev"], ["developer"]],
    ["values of --log-level", ["pipe", "list", "--log-level", "deb"], ["debug"]],
    ["values of a flag after another flag", ["key", "create", "--local-secret", "--role", "dev"], ["developer"]],
    ["verbs after a flag of their noun", ["key", "--json", "c"], ["create"]],
    ["values in the word of their flag", ["key", "create", "--role=dev"], ["developer"]],
    ["files of a flag for a file", ["dashboard", "create", "--file", "err"], ["errors.json"]],
    ["files in the word of their flag", ["dashboard", "create", "--file=err"], ["errors.json"]],
    ["files of an argument for a file", ["dashboard", "preview", "err"], ["errors.json"]],
    ["directories of a flag for a directory", ["export", "--dir", "st"], ["store"]],
    ["arguments with a few values", ["schema", "pi"], ["pipe"]],
    ["nothing after an unknown command", ["pip", "ge"], []],
    ["no command that is not for users", ["complete"], []]
  ])("know %s", async (_, words, expected) => {
    // bash replaces what follows =, the others the whole word.
    const offered = (await complete(...words)).map((word) => word.replace(/^--[a-z]+=/, ""))
    assert.deepStrictEqual(offered, expected)
  })
})

const api = service()
const home = configHome()
const id = (last: number) => `6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5${last}`
const inOrganization = `/v1/organizations/${organization}`
const hostile = ["$(touch x)", "`touch x`; touch x", "a\"b'c", "x\ny", "--yes", "two words", "é"]
const paths: Readonly<Record<string, ReadonlyArray<object>>> = {
  [`${inOrganization}/services/${serviceId}/dbpipes`]: [
    { id: id(1), serviceId, name: "orders", state: "Running" },
    { id: id(2), serviceId, name: "invoices", state: "Running" }
  ],
  [`${inOrganization}/services/${serviceId}/dbpipes/reversePrivateEndpoints`]: [],
  [`${inOrganization}/services/${id(9)}/dbpipes`]: [{ id: id(3), serviceId, name: "other", state: "Running" }],
  [`${inOrganization}/keys`]: [{ id: id(4), name: "ci", state: "enabled", roles: [] }],
  [`${inOrganization}/roles`]: hostile.map((name, index) => ({ id: id(index), name })),
  [`${inOrganization}/services`]: [{ id: id(5), name: "ingest", state: "running" }],
  "/v1/organizations": [{ id: id(6), name: "Acme" }],
  "/api/v2/dashboards": [{ id: id(7), name: "Errors", tiles: [] }],
  "/api/v2/sources": [{ id: id(8), name: "Logs" }]
}
const respond = ({ path }: { readonly path: string }): Reply => {
  const found = paths[path]
  if (found === undefined) return { status: 404, body: {} }
  return path.startsWith("/api/") ? { status: 200, body: { data: found } } : enveloped(found)
}
beforeEach(() => {
  api.respondWith(respond)
  home.write({ current: "staging", profiles: { staging: { url: api.url }, production: { url: api.url } } })
})

// The limit is that of the last test alone: a busy machine may take longer.
const env = () => ({ ...everything(api.url), ...home.env, HEADGATE_COMPLETION_TIMEOUT: "1h" })

describeShells({ name: "headgate", script, bin, env }, (complete, shell) => {
  it.each<[string, ReadonlyArray<string>, ReadonlyArray<string>]>([
    ["ids of pipes", ["pipe", "get", "6f"], [id(1), id(2)]],
    ["names of pipes", ["pipe", "wait", "o"], ["orders"]],
    ["names after another flag", ["pipe", "get", "--timeout", "5s", "inv"], ["invoices"]],
    ["pipes of the service that is typed", ["--service", id(9), "pipe", "get", "o"], ["other"]],
    ["keys", ["key", "rotate", "c"], ["ci"]],
    ["dashboards", ["dashboard", "copy", "E"], ["Errors"]],
    ["sources", ["source", "get", "L"], ["Logs"]],
    ["services of a flag", ["pipe", "list", "--service", "i"], ["ingest"]],
    ["organizations of a flag", ["pipe", "list", "--organization", "A"], ["Acme"]],
    ["profiles of a flag", ["whoami", "--profile", "sta"], ["staging"]],
    ["profiles of an argument", ["profile", "use", "pro"], ["production"]]
  ])("know %s", async (_, words, expected) => {
    assert.deepStrictEqual(await complete(...words), expected)
  })

  it("offer names as one literal word", async () => {
    const quoted: Readonly<Record<Shell, ReadonlyArray<string>>> = {
      bash: ["\\$\\(touch\\ x\\)", "\\`touch\\ x\\`\\;\\ touch\\ x", "a\\\"b\\'c", "two\\ words", "é"],
      zsh: ["\\$\\(touch\\ x\\)", "\\`touch\\ x\\`\\;\\ touch\\ x", "a\\\"b\\'c", "two\\ words", "é"],
      // It quotes what is chosen.
      fish: ["$(touch x)", "`touch x`; touch x", "a\"b'c", "two words", "é"]
    }
    const names = (await complete("role", "get", "")).filter((value) => !/^(6f1c.*|--[a-z-]+)$/.test(value))
    assert.deepStrictEqual(names, quoted[shell].toSorted())
  })

  it("offer nothing when the service fails", async () => {
    api.respondWith({ status: 503, body: {} })
    assert.deepStrictEqual(await complete("pipe", "get", "orders"), [])
  })
})

describe("completions for PowerShell", () => {
  it("know global flags, their values, and the lists of values", async () => {
    const powershell = (await headgateProcess(["--completions", "powershell"])).stdout
    for (const pattern of [/--dialect/, /clickhouse/, /name = 'pipe-id'.*list = 'pipe'/, /headgate complete-values/])
      assert.match(powershell, pattern)
    assert.notInclude(powershell, "values-of-")
  })
})
