import type { HelpPage } from "@headgate/command-line"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { completedValues } from "../src/completion/completedValues.ts"
import { enveloped, service } from "./Service.ts"
import { everything, headgateProcess, serviceId } from "./headgate.ts"

const api = service()
const pages: Readonly<Record<string, HelpPage>> = JSON.parse(
  readFileSync(join(import.meta.dirname, "../dist/help.json"), "utf8")
)
const id = (last: number) => `6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5${last}`
const pipes = [
  { id: id(1), serviceId, name: "orders", state: "Running" },
  { id: id(2), serviceId, name: "invoices", state: "Running" }
]

describe("headgate complete-values", () => {
  const run = (list: string, stdin: string, more: Record<string, string> = {}) =>
    headgateProcess(["complete-values", list], {
      env: { ...everything(api.url), HEADGATE_COMPLETION_TIMEOUT: "1h", ...more },
      stdin
    })

  it("completes every argument that is an id or a name", () => {
    const named = Object.values(pages)
      .flatMap((page) => page.arguments)
      .filter(([, description]) => /\bid or name\b|\bor its name\b|^UUID\b/i.test(description ?? ""))
      .map(([name = ""]) => name)
    assert.isAtLeast(new Set(named).size, 6)
    for (const name of named) assert.property(completedValues, name)
  })

  it("is not in the help", async () => {
    assert.notInclude((await headgateProcess(["--help"])).stdout, "complete-values")
  })

  it("prints values with descriptions, those that begin with what is typed first", async () => {
    api.respondWith(enveloped(pipes))
    const { stdout } = await run("pipe", "pipe\nget\ninv\n")
    assert.strictEqual(stdout, `invoices\t${id(2)}\norders\t${id(1)}\n${id(1)}\torders\n${id(2)}\tinvoices\n`)
  })

  it("takes credentials that are typed", async () => {
    api.respondWith(enveloped([]))
    await run("key", "--key-id=other\n--key-secret\nother\nkey\nget\n\n")
    const [request] = api.received
    assert.strictEqual(request?.headers.authorization, `Basic ${Buffer.from("other:other").toString("base64")}`)
  })

  it("prints some hundreds at most, and no name that two have", async () => {
    const many = Array.from({ length: 2000 }, (_, index) => ({
      id: `${id(0).slice(0, -4)}${String(index).padStart(4, "0")}`,
      name: `n${index % 1500}`
    }))
    api.respondWith(enveloped(many))
    const { stdout } = await run("role", `role\nget\n${many[1999]?.id}\n`)
    const lines = stdout.trimEnd().split("\n")
    assert.strictEqual(lines.length, 500)
    assert.deepStrictEqual(lines.slice(0, 2), [`${many[1999]?.id}\tn499`, `n500\t${many[500]?.id}`])
  })

  it("gives up after 1 second", async () => {
    api.respondWith(() => undefined)
    const { exitCode, stderr, stdout } = await run("pipe", "\n", { HEADGATE_COMPLETION_TIMEOUT: "" })
    assert.deepStrictEqual([exitCode, stdout], [8, ""])
    assert.include(stderr, "Completion gave up after 1s")
  })

  it.each([
    ["a wrong key", { status: 401, body: {} }, {}],
    ["settings that are missing", enveloped([]), { HEADGATE_KEY_ID: "" }],
    ["a wrong limit", enveloped([]), { HEADGATE_COMPLETION_TIMEOUT: "soon" }]
  ])("prints nothing with %s", async (_, reply, more) => {
    api.respondWith(reply)
    const { exitCode, stdout } = await run("pipe", "\n", more)
    assert.notStrictEqual(exitCode, 0)
    assert.strictEqual(stdout, "")
  })
})
