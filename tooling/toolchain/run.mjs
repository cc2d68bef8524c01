// What `npm start`, `npm test` and their like call: installs if needed, builds, and runs the tool on the pinned Node.
// Plain JavaScript without dependencies: it must run on the machine's own Node, before anything is installed.
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { constants } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { bin, ensure, Refusal } from "./ensure.mjs"
import { removeStaleAssets } from "./site.mjs"
import { removeStaleOutputs } from "./staleOutputs.mjs"

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")
const windows = process.platform === "win32"
const pathKey = Object.keys(process.env).find((key) => key.toUpperCase() === "PATH") ?? "PATH"

const env = {
  ...process.env,
  [pathKey]: [join(root, "node_modules", ".bin"), process.env[pathKey]].filter(Boolean).join(delimiter),
  DO_NOT_TRACK: "1",
  TURBO_TELEMETRY_DISABLED: "1",
  TURBO_NO_UPDATE_NOTIFIER: "1",
  TURBO_PRINT_VERSION_DISABLED: "1",
  // Each worker of the tests would compile the same modules.
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? join(root, "node_modules", ".cache", "compiled"),
  // The compiler is a Go program: with a larger heap it takes a sixth less CPU time.
  GOGC: process.env["GOGC"] ?? "200"
}

/** Runs a tool to its end, passes signals on, and answers its exit code; with `quiet`, prints only if it failed. */
const run = (tool, args, { quiet = false } = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(bin(root, tool), args, {
      cwd: root,
      env,
      shell: windows,
      stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit"
    })
    const printed = []
    child.stdout?.on("data", (chunk) => printed.push(chunk))
    child.stderr?.on("data", (chunk) => printed.push(chunk))
    // At a terminal Ctrl-C reaches the child by itself: passed on, it would count twice.
    const pass = (signal) => {
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal)
    }
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"]
    for (const signal of signals) process.on(signal, pass)
    const done = () => {
      for (const signal of signals) process.off(signal, pass)
    }
    child.on("error", (error) => {
      done()
      reject(new Refusal(`${tool} could not be started: ${error.message}`))
    })
    child.on("close", (code, signal) => {
      done()
      const exit = code ?? 128 + constants.signals[signal]
      if (quiet && exit !== 0) process.stderr.write(Buffer.concat(printed))
      resolve(exit)
    })
  })

/** Runs one after another and stops at the first that fails. */
const inTurn = async (...steps) => {
  for (const step of steps) {
    const code = await step()
    if (code !== 0) return code
  }
  return 0
}

const build = async () => {
  removeStaleOutputs(root)
  const code = await run("turbo", ["run", "build", "--ui=stream", "--output-logs=errors-only"], { quiet: true })
  removeStaleAssets(root)
  return code
}
const types = () => run("tsc", ["-b"])
const lint = () => run("oxlint", ["--deny-warnings"])
const format = () => run("oxfmt", ["--check"])
const unused = () => run("knip", [])
const surface = () => run("vitest", ["run", "--project", "packaging", "surface"])
const packaging = (script, args = []) => run("node", [join("tooling", "packaging", "src", `${script}.ts`), ...args])
const packages = () => packaging("checkTarballs")
const changesets = () => packaging("checkChangesets")
const structure = () => run("vitest", ["run", "--project", "structure"])

const documentation = (script) => run("node", [join("tooling", "documentation", "src", `${script}.ts`)])

const drift = (script, args = []) => run("node", [join("tooling", "drift", "src", `${script}.ts`), ...args])

/** Runs them all, whatever fails, so that one run names everything there is to mend. */
const each = async (steps) => {
  const failed = []
  for (const [name, step] of Object.entries(steps)) {
    process.stdout.write(`\n${name}\n`)
    if ((await step()) !== 0) failed.push(name)
  }
  process.stdout.write(failed.length === 0 ? "\nAll checks passed.\n" : `\nFailed: ${failed.join(", ")}\n`)
  return failed.length === 0 ? 0 : 1
}

const start = (args) => {
  const script = join("tooling", "toolchain", "start.mjs")
  if (!existsSync(join(root, script))) throw new Refusal(`${script} is missing`)
  return run("node", [script, ...args])
}

const trial = ([name = "", ...args]) => {
  const script = join("tooling", "trials", "src", `${name}.ts`)
  if (!existsSync(join(root, script))) throw new Refusal(`no trial "${name}": ${script} is missing`)
  return run("node", [script, ...args])
}

const bench = ([name = "", ...args]) => {
  const script = join("tooling", "bench", "src", `${name}.ts`)
  if (!existsSync(join(root, script))) throw new Refusal(`no benchmark "${name}": ${script} is missing`)
  return run("node", [script, ...args])
}

// More than two cores: much of a test's time is spent waiting for processes, sockets and the disk, most of all in the long ones.
// Each worker loads what its tests import.
const workers = "--maxWorkers=3"
const longWorkers = "--maxWorkers=5"
// One for the files of trial:move and of trial:store each, which wait for most of their time, and one for all others.
const redWorkers = "--maxWorkers=3"

/** The tests of all packages but the trials, as vitest.config.ts has them for one run. */
const together = (args) => {
  env["HEADGATE_TESTS_TOGETHER"] = "1"
  return run("vitest", ["run", ...args])
}

const commands = {
  install: () => 0,
  build: () => build(),
  start: (args) => {
    process.stderr.write("headgate: building what has changed; the first time takes some minutes\n")
    return inTurn(build, () => start(args))
  },
  // Whether the trials themselves turn red takes minutes: that is trial:red.
  test: (args) => inTurn(build, () => together([workers, ...args])),
  // Every operation through http-adapter, more values of every schema, more faults of moved rows, pipes in both dialects, laws over
  // HTTP and Postgres: they take longer than all other tests together.
  "test-long": (args) =>
    inTurn(build, () => {
      env["HEADGATE_LONG_TESTS"] = "1"
      return together([
        longWorkers,
        "packages/http-adapter/test/",
        "packages/core/test/schema/",
        "packages/mover/test/deliveries.test",
        "packages/mover/test/objects.test",
        "apps/server/test/pipeWalk.test",
        ".long.test",
        ...args
      ])
    }),
  "trial-red": (args) => inTurn(build, () => run("vitest", ["run", "--project", "trials", redWorkers, ...args])),
  "trial-packages": (args) => inTurn(build, () => packaging("trialPackages", args)),
  "trial-runtimes": (args) => inTurn(build, () => packaging("trialRuntimes", args)),
  trial: (args) => inTurn(build, () => trial(args)),
  "console-pictures": (args) => inTurn(build, () => trial(["consolePictures", ...args])),
  bench: (args) => inTurn(build, () => bench(args)),
  check: () =>
    inTurn(build, () =>
      each({
        Types: types,
        Lint: lint,
        Format: format,
        Structure: structure,
        Unused: unused,
        "Public surface": surface,
        Packages: packages,
        Changesets: changesets,
        Drift: () => drift("checkDrift"),
        Documentation: () => documentation("checkDocumentation")
      })
    ),
  "drift-write": () => inTurn(build, () => drift("checkDrift", ["--write"])),
  "drift-extract": (args) =>
    inTurn(
      build,
      () => drift("extractFacts", args),
      () => run("oxfmt", [join("tooling", "drift", "published")])
    ),
  format: (args) => run("oxfmt", args),
  lint: () => each({ Lint: lint, Format: format }),
  typecheck: () => types(),
  docs: () => inTurn(build, () => documentation("buildReference")),
  changeset: (args) => run("changeset", args),
  // The lock file names workspace packages by link, so a new version leaves it as it is.
  "version-packages": () =>
    inTurn(
      () => run("changeset", ["version"]),
      () => packaging("versionPackages")
    ),
  "release-dry": (args) => inTurn(build, () => packaging("releaseDry", args)),
  release: () =>
    inTurn(
      () => packaging("checkRelease"),
      build,
      () => run("changeset", ["publish"])
    )
}

const main = async ([name = "", ...args]) => {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) throw new Refusal(`no command "${name}": there are ${Object.keys(commands).join(", ")}`)
  ensure(root)
  return await command(args)
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  process.stderr.write(`headgate: ${error.message}\n`)
  process.exitCode = 1
}
