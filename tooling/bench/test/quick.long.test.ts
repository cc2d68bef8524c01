import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { kafkaMissing } from "@headgate/harness/KafkaBroker"
import { assert, describe, it } from "vitest"
import { contestants as clients } from "../src/client/contestants.ts"
import { contestants as decoders } from "../src/decode/contestants.ts"
import { contestants as movers } from "../src/move/contestants.ts"
import { contestants as servers } from "../src/server/Contestant.ts"

/** Runs a benchmark as `npm run bench:<name>` does. */
const run = (name: string, ...args: ReadonlyArray<string>) => {
  const script = fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url))
  return spawnSync(process.execPath, [script, ...args], { encoding: "utf8" })
}

// It needs Java, a Kafka and the ClickHouse engine.
const canMove = kafkaMissing() === undefined && process.env["HEADGATE_CHDB"] !== undefined
const moves = canMove ? [{ name: "move", lines: movers.map(({ name }) => name) }] : []

describe("--quick runs a benchmark to its end and prints a line for every contestant", () => {
  it.each<{ readonly name: string; readonly lines: ReadonlyArray<string>; readonly args?: ReadonlyArray<string> }>([
    { name: "cli", lines: ["node -e 0", "headgate --version", "fetch, print JSON", "headgate pipe get"] },
    { name: "decode", lines: Object.keys(decoders) },
    { name: "client", lines: Object.keys(clients) },
    {
      name: "server",
      lines: servers.map(({ name }) => name),
      args: ["--only", "patch-state-of-a-pipe,put-dashboard", "--logging", "off"]
    },
    { name: "size", lines: ["headgate: decode a pipe", "openapi-fetch + zod 4: one call", "@headgate/client 0.0.0"] },
    ...moves
  ])("bench:$name", ({ args = [], lines, name }) => {
    const { status, stderr, stdout } = run(name, "--quick", ...args)
    assert.strictEqual(status, 0, stderr)
    for (const line of lines) assert.include(stdout, `\n${line} `)
    assert.match(stdout, /target +measured +reached\n/)
    assert.notInclude(stdout, "NaN")
  })
})

describe("a benchmark with a wrong command line", () => {
  it.each([["--rounds", "0"], ["--rounds", "many"], ["--fast"]])("exits with 2 and names the flag: %s", (...args) => {
    const { status, stderr } = run("size", ...args)
    assert.strictEqual(status, 2)
    assert.include(stderr, args[0])
  })
})
