import { assert, describe, it } from "vitest"
import packageJson from "../package.json" with { type: "json" }
import { headgate, headgateProcess, pipeId } from "./headgate.ts"

describe("help", () => {
  it("prints all sections of --help to stdout", async () => {
    const run = await headgateProcess(["--help"])
    assert.deepStrictEqual([run.exitCode, run.stderr], [0, ""])
    for (const title of ["USAGE", "COMMANDS", "GLOBAL FLAGS", "ENVIRONMENT", "EXIT CODES", "EXAMPLES"]) {
      assert.match(run.stdout, new RegExp(`^${title}`, "m"))
    }
    for (const word of [
      "pipe",
      "key",
      "dashboard",
      "HEADGATE_URL",
      "HEADGATE_TOKEN",
      "NO_COLOR",
      "--completions",
      "130"
    ]) {
      assert.include(run.stdout, word)
    }
  })

  it.each([[["pipe"]], [["key"]], [["dashboard"]]])("of %j is also printed without --help", async (noun) => {
    const bare = await headgate(noun)
    assert.deepStrictEqual(bare, await headgate([...noun, "--help"]))
    assert.deepStrictEqual([bare.exitCode, bare.stderr], [0, ""])
    assert.match(bare.stdout, /^COMMANDS$/m)
  })

  it.each(["login", "logout", "whoami"])("of %s has an example", async (verb) => {
    assert.include((await headgate([verb, "--help"])).stdout, `\n  $ headgate ${verb}`)
  })

  it.each([
    ["profile", "list"],
    ["profile", "use"],
    ["profile", "delete"],
    ["pipe", "get"],
    ["pipe", "delete"],
    ["key", "create"],
    ["key", "list"],
    ["key", "update"],
    ["role", "create"],
    ["dashboard", "create"],
    ["dashboard", "copy"],
    ["dashboard", "list"]
  ])("of %s %s has an example", async (noun, verb) => {
    const run = await headgate([noun, verb, "--help"])
    assert.strictEqual(run.exitCode, 0)
    assert.include(run.stdout, `\n  $ `)
    assert.include(run.stdout, `headgate ${noun} ${verb}`)
  })

  it.each([[[]], [["key", "create"]], [["dashboard", "copy"]]])(
    "of %j breaks no word at 60 columns",
    async (command) => {
      const wide = await headgate([...command, "--help"])
      const narrow = await headgate([...command, "--help"], { env: { COLUMNS: "60" } })
      assert.isAtMost(Math.max(...narrow.stdout.split("\n").map((line) => line.length)), 60)
      const words = (text: string) => text.split(/\s+/).filter((word) => word !== "\\")
      assert.deepStrictEqual(words(narrow.stdout).toSorted(), words(wide.stdout).toSorted())
    }
  )

  it("fits a wide terminal", async () => {
    const run = await headgate(["key", "create", "--help"])
    assert.isBelow(Math.max(...run.stdout.split("\n").map((line) => line.length)), 140)
  })

  it("prints the version of the package", async () => {
    assert.deepStrictEqual(await headgateProcess(["--version"]), {
      exitCode: 0,
      stdout: `headgate ${packageJson.version}\n`,
      stderr: ""
    })
  })

  it.each(["bash", "zsh", "fish"])(
    "prints a completion script for %s that is small enough to be read by each shell",
    async (shell) => {
      const run = await headgate(["completion", shell])
      assert.deepStrictEqual([run.exitCode, run.stderr], [0, ""])
      assert.match(run.stdout, /(?:headgate|_ask) complete/)
      assert.isBelow(run.stdout.length, 20_000)
      assert.deepStrictEqual(await headgate(["--completions", shell]), run)
      assert.deepStrictEqual(await headgateProcess(["completion", shell]), run)
    }
  )

  it("does not know completion for another shell", async () => {
    const { exitCode, stderr } = await headgateProcess(["completion", "tcsh"])
    assert.strictEqual(exitCode, 2)
    assert.include(stderr, '"bash" | "zsh" | "fish"')
  })
})

describe("a wrong command line ends with 2 and prints its error to stderr:", () => {
  it.each<[string, ReadonlyArray<string>, string]>([
    ["an unknown noun", ["pipes"], 'Unknown subcommand "pipes"'],
    ["an unknown verb", ["pipe", "gte"], "Did you mean this?\n    get"],
    ["an unknown verb with flags", ["key", "creat", "--name", "x"], 'Unknown subcommand "creat" for "headgate key"'],
    ["an unknown verb between flags", ["--url=x", "key", "creat", "--name", "x"], "Did you mean this?\n    create"],
    ["an unknown flag", ["pipe", "get", pipeId, "--nope"], "Unrecognized flag: --nope"],
    ["a flag of the command misspelt", ["pipe", "list", "--fitler", "x"], "Did you mean this?\n    --filter"],
    ["a global flag misspelt", ["whoami", "--porfile", "x"], "Did you mean this?\n    --profile"],
    [
      "a global flag misspelt before a command",
      ["--orgnization", "x", "whoami"],
      "Did you mean this?\n    --organization"
    ],
    [
      "short flags in one word, one of them -h",
      ["pipe", "delete", "-dash", "--yes"],
      "Unrecognized flag: -dash. -h and -v stand alone"
    ],
    ["known short flags with -h in one word", ["pipe", "delete", pipeId, "-yh"], "Unrecognized flag: -yh."],
    ["-h before known short flags", ["pipe", "delete", pipeId, "-hy"], "Unrecognized flag: -hy."],
    ["-h among others, after a real flag", ["pipe", "delete", pipeId, "--yes", "-fhy"], "Unrecognized flag: -fhy."],
    ["-h twice", ["pipe", "delete", pipeId, "-hh", "--yes"], "Unrecognized flag: -hh."],
    ["a value that begins with a dash", ["key", "create", "--name", "-v1"], "Unrecognized flag: -v..."],
    ["a missing argument", ["pipe", "get"], "Missing required argument: pipe-id"],
    ["an argument too many", ["pipe", "get", pipeId, "again"], '"again"'],
    ["a bad global value", ["dashboard", "list", "--output", "xml"], '"table" | "json"'],
    ["a flag without its value", ["dashboard", "list", "--url"], "Missing value for flag --url"],
    ["a flag twice", ["dashboard", "list", "--url", "a", "--url", "b"], "--url"],
    ["an invalid timeout", ["dashboard", "list", "--timeout", "soon"], "5m, 12h or 90d\n"],
    ["a timeout of 0", ["dashboard", "list", "--timeout", "0s"], "longer than 0"],
    [
      "retries below 0",
      ["dashboard", "list", "--max-retries=-1"],
      'error: Invalid value for flag --max-retries: "-1". Expected: 0 or more\n'
    ]
  ])("%s", async (_, args, words) => {
    const run = await headgate(args)
    assert.deepStrictEqual([run.exitCode, run.stdout], [2, ""])
    assert.match(run.stderr, /^error: /)
    assert.include(run.stderr, words)
    assert.match(run.stderr, /^usage: headgate /m)
    assert.match(run.stderr, /--help' for more\.$/m)
  })

  it("as one JSON object with --json", async () => {
    const run = await headgateProcess(["pipe", "get", "--json"])
    assert.deepStrictEqual([run.exitCode, run.stdout], [2, ""])
    assert.deepStrictEqual(JSON.parse(run.stderr), {
      error: { tag: "UsageError", message: "Missing required argument: pipe-id: Id or name of the pipe" }
    })
  })

  it("does not print the value of a mistyped flag, which may be a secret", async () => {
    for (const args of [
      ["--key-secrte", "hgs_s3cr3t", "pipe", "get", pipeId],
      ["pipe", "get", pipeId, "--tokn", "hgs_s3cr3t"],
      ["pipe", "get", pipeId, "--tokn=hgs_s3cr3t"]
    ]) {
      const run = await headgate(args)
      assert.strictEqual(run.exitCode, 2)
      assert.notInclude(run.stderr, "s3cr3t")
      assert.include(run.stderr, "Unrecognized flag")
    }
  })
})

describe("colours", () => {
  it("are off without a terminal, on with FORCE_COLOR, off with NO_COLOR", async () => {
    const escape = "\u001b["
    assert.notInclude((await headgateProcess(["--help"])).stdout, escape)
    assert.include((await headgateProcess(["--help"], { env: { FORCE_COLOR: "1" } })).stdout, escape)
    assert.notInclude((await headgateProcess(["--help"], { env: { NO_COLOR: "1" } })).stdout, escape)
  })
})
