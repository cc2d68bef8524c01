import { type HelpPage, plainStyle, renderHelp } from "@headgate/command-line"
import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { headgate, headgateProcess } from "./headgate.ts"

const dist = join(import.meta.dirname, "../dist")
const pages: Readonly<Record<string, HelpPage>> = JSON.parse(readFileSync(join(dist, "help.json"), "utf8"))
const paths = Object.keys(pages).map((words) => words.split(" ").filter((word) => word !== ""))

const strong = (text: string) => `<b>${text}</b>`

describe("the help pages that the build stores", () => {
  it("are those of every command", () => {
    const named = Object.values(pages).flatMap(({ commands, path }) =>
      commands.map(([name = ""]) => [...path.slice(1), name].join(" "))
    )
    assert.deepStrictEqual(["", ...named].toSorted(), Object.keys(pages).toSorted())
    assert.include(named, "pipe cdc-scaling set")
  })

  it.each([60, 80, 140])("are what the commands print, at %i columns", async (width) => {
    for (const path of paths) {
      const page = pages[path.join(" ")]
      assert.isDefined(page)
      const { stdout } = await headgate([...path, "--help"], { env: { COLUMNS: String(width) }, strong })
      assert.strictEqual(`${renderHelp(page, { ...plainStyle, width, strong })}\n`, stdout)
    }
  })
})

describe("at 60 columns", () => {
  it.each(paths.map((path) => [path.join(" "), path] as const))(
    "the help of headgate %s fits, or is one word",
    (_, path) => {
      const page = pages[path.join(" ")]
      assert.isDefined(page)
      const lines = renderHelp(page, { ...plainStyle, width: 60 }).split("\n")
      const long = lines.filter((line) => line.length > 60 && !/^\s*\S+( \\)?$/.test(line))
      assert.deepStrictEqual(long, [])
    }
  )
})

describe("headgate prints the same as the program that it need not load", () => {
  const main = (args: ReadonlyArray<string>, env: Record<string, string>) =>
    execFileSync(process.execPath, [join(dist, "main.mjs"), ...args], { env, encoding: "utf8" })

  const inColor = { FORCE_COLOR: "1", COLUMNS: "140" }

  it.each<[ReadonlyArray<string>, ...ReadonlyArray<Record<string, string>>]>([
    [["--help"], { COLUMNS: "72" }, inColor, { NO_COLOR: "1" }],
    [["-h"], inColor],
    [["pipe", "-h"], inColor],
    [["key", "create", "--help"], inColor],
    [["--version"], inColor],
    [["-v"], inColor]
  ])("%j", async (args, ...environments) => {
    for (const env of environments) {
      const run = await headgateProcess(args, { env })
      assert.deepStrictEqual(run, { exitCode: 0, stdout: main(args, env), stderr: "" })
    }
  })
})

describe("headgate loads its program", () => {
  const run = (...args: ReadonlyArray<string>) => {
    const script = `
      import { registerHooks } from "node:module"
      registerHooks({ load: (url, context, next) => {
        if (url.endsWith("/dist/main.mjs")) throw new Error("loads main.mjs")
        return next(url, context)
      } })`
    const hooks = `data:text/javascript,${encodeURIComponent(script)}`
    const bin = join(import.meta.dirname, "../bin/headgate.mjs")
    return spawnSync(process.execPath, ["--import", hooks, bin, ...args], { encoding: "utf8", input: "pipe\n" }).stderr
  }

  it.each([[["--help"]], [["role", "get", "--help"]], [["--version"]], [["complete"]], [["completion", "bash"]]])(
    "not for %j",
    (args) => {
      assert.strictEqual(run(...args), "")
    }
  )

  it.each([
    [["pipe", "gte", "--help"]],
    [["pipe", "get", "constructor", "--help"]],
    [["constructor", "--help"]],
    [["--json", "--help"]],
    [["pipe", "--version"]],
    [["whoami"]],
    [[]]
  ])("for %j", (args) => {
    assert.include(run(...args), "loads main.mjs")
  })
})

describe("headgate help", () => {
  it.each([[[]], [["pipe"]], [["pipe", "get"]], [["pipe", "cdc-scaling", "set"]]])(
    "%j prints what --help prints",
    async (words) => {
      const run = await headgate(["help", ...words])
      assert.strictEqual(run.exitCode, 0)
      assert.strictEqual(run.stdout, (await headgate([...words, "--help"])).stdout)
    }
  )

  it.each([
    [["pip"], 'Unknown subcommand "pip" for "headgate"'],
    [["pipe", "gett"], 'Unknown subcommand "gett" for "headgate pipe"']
  ])("%j reports the unknown word, and a near one", async (words, message) => {
    const run = await headgate(["help", ...words])
    assert.strictEqual(run.exitCode, 2)
    assert.strictEqual(run.stdout, "")
    assert.include(run.stderr, message)
    assert.include(run.stderr, "Did you mean")
  })

  it("does not run a command that it is given with its arguments", async () => {
    const run = await headgate(["help", "pipe", "delete", "orders", "--yes"])
    assert.strictEqual(run.exitCode, 0)
    assert.strictEqual(run.stdout, (await headgate(["pipe", "delete", "--help"])).stdout)
  })
})
