import { spawn } from "node:child_process"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { enveloped, service } from "./Service.ts"
import { everything, headgate, organization, pipeId, serviceId } from "./headgate.ts"

const api = service()
const bin = join(import.meta.dirname, "../bin/headgate.mjs")
const pipe = (state: string) => ({
  id: pipeId,
  serviceId,
  name: "orders\u0007",
  state,
  source: { kafka: { brokers: "k:9092", topics: "orders" } },
  fieldMappings: [
    { sourceField: "a", destinationField: "b" },
    { sourceField: "c", destinationField: "d" }
  ]
})

const run = (...args: ReadonlyArray<string>) =>
  headgate([...args, "--plain"], { env: { ...everything(api.url), COLUMNS: "60" }, strong: (text) => `<b>${text}</b>` })

/** What a terminal gets from a process, which ends by itself or once `until` is shown. */
const atTerminal = (args: ReadonlyArray<string>, until?: string) =>
  new Promise<string>((resolve, reject) => {
    const env = { PATH: process.env["PATH"], TERM: "xterm-256color", FORCE_COLOR: "1", ...everything(api.url) }
    const child = spawn("script", ["-qec", [process.execPath, bin, ...args].join(" "), "/dev/null"], { env })
    let screen = ""
    let isEnded = false
    child.stdout.on("data", (chunk: Buffer) => {
      screen += String(chunk)
      if (isEnded || until === undefined || !screen.includes(until)) return
      isEnded = true
      child.stdin.write("\u0003")
    })
    child.once("error", reject)
    child.once("close", () => resolve(screen.replaceAll("\r\n", "\n").replaceAll("^C", "")))
  })

describe("--plain", () => {
  it("prints a list as a line for each value, and a blank line between two elements", async () => {
    api.respondWith(enveloped([pipe("Running"), { ...pipe("Failed"), id: serviceId, name: "x".repeat(100) }]))
    const { stdout } = await run("pipe", "list")
    const record = (id: string, state: string, name: string) =>
      `ID: ${id}\nSTATE: ${state}\nSOURCE: kafka\nNAME: ${name}\n`
    assert.strictEqual(
      stdout,
      `${record(pipeId, "Running", "orders\\x07")}\n${record(serviceId, "Failed", "x".repeat(100))}`
    )
    const picked = await run("pipe", "list", "--fields", "state,source.kafka.topics")
    assert.strictEqual(
      picked.stdout,
      "state: Running\nsource.kafka.topics: orders\n\nstate: Failed\nsource.kafka.topics: orders\n"
    )
  })

  it("prints one thing as a line for each value, with its path", async () => {
    api.respondWith(enveloped(pipe("Running")))
    const { stdout } = await run("pipe", "get", pipeId)
    const lines = stdout.trimEnd().split("\n")
    for (const line of [
      "name: orders\\x07",
      "state: Running",
      "source.kafka.topics: orders",
      "fieldMappings.2.destinationField: d"
    ])
      assert.include(lines, line)
    for (const line of lines) assert.match(line, /^[\w.]+: \S/)
  })

  it("prints who the key is and where the settings come from", async () => {
    api.respondWith(enveloped({ organization: { id: organization, name: "Acme" }, key: { name: "ci" } }))
    const { stdout } = await run("whoami", "--explain")
    assert.include(stdout, `SETTING: url\nVALUE: ${api.url}\nSOURCE: HEADGATE_URL\n\nSETTING: observability-url\n`)
  })

  it("prints errors and help without emphasis", async () => {
    assert.match((await run("pipe", "gte")).stderr, /^error: [^<]*\n\nusage: /)
    assert.match(
      (await headgate(["pipe", "--plain", "--help"], { strong: (text) => `<b>${text}</b>` })).stdout,
      /^USAGE$/m
    )
  })

  it("changes nothing in JSON", async () => {
    api.respondWith(enveloped(pipe("Running")))
    assert.deepStrictEqual(JSON.parse((await run("pipe", "get", pipeId, "--json")).stdout), pipe("Running"))
  })

  it("writes each status once at a terminal, and no escape sequence", async () => {
    let reads = 0
    api.respondWith(() => enveloped(pipe(reads++ === 0 ? "Provisioning" : "Running")))
    const screen = await atTerminal(["pipe", "wait", pipeId, "--for", "Running", "--plain"])
    assert.notInclude(screen, "\u001b")
    const [status, ...lines] = screen.trimEnd().split("\n")
    assert.strictEqual(status, `Pipe ${pipeId} is Provisioning, waiting for Running (0s)`)
    assert.include(lines, "state: Running")
    assert.notInclude(lines.join("\n"), "waiting for")
  })

  it("watches with a line for each change at a terminal, and no escape sequence", async () => {
    let reads = 0
    api.respondWith(() => enveloped(pipe(reads++ === 0 ? "Provisioning" : "Running")))
    const screen = await atTerminal(["pipe", "watch", pipeId, "--plain"], "  Running")
    assert.notInclude(screen, "\u001b")
    assert.match(screen, /^\S+Z {2}Provisioning\n\S+Z {2}Running\n/)
  })

  it("lists the tiles of a dashboard with their places", async () => {
    const tile = { name: "Errors", x: 0, y: 0, w: 12, h: 4, config: { displayType: "line" } }
    const document = JSON.stringify({ name: "D", tiles: [tile] })
    const { stdout } = await headgate(["dashboard", "preview", "-", "--plain"], {
      env: everything(api.url),
      stdin: document
    })
    assert.strictEqual(stdout, "TILE: Errors\nKIND: line\nSECTION:\nX: 0\nY: 0\nWIDTH: 12\nHEIGHT: 4\n")
  })
})
