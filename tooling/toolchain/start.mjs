// `npm start`: a real server on an embedded store with a sample organization, and the main job done once with the real
// command line, so that a newcomer sees what goes in and what comes out. `npm start -- --demo`: a server that moves rows which it makes
// up, and shows charts of them. Plain JavaScript: it only starts processes.
import { spawn } from "node:child_process"
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { basename, dirname, join, relative, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { ensureEngine } from "./demoEngine.mjs"
import { Refusal } from "./ensure.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))
const sample = (file) => join(root, "tooling", "toolchain", "sample", file)

// What is set for the real service must not reach these processes.
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("HEADGATE_")))

const readFlags = () => {
  try {
    const { values } = parseArgs({
      options: {
        demo: { type: "boolean", default: false },
        yes: { type: "boolean", default: false },
        once: { type: "boolean", default: false },
        data: { type: "string" }
      }
    })
    if (values.yes && !values.demo) throw new Failure("--yes goes with --demo")
    return { ...values, data: resolve(values.data ?? join(root, ".headgate", values.demo ? "demo" : "")) }
  } catch (error) {
    throw new Failure(`${error.message}: the flags are --demo, --yes, --once and --data <directory>`)
  }
}

const credentialsFileOf = (data) => join(data, "credentials.json")

const say = (text = "") => process.stdout.write(`${text}\n`)

class Failure extends Refusal {}

// The exit code of the command line for credentials that are not accepted.
const exitUnauthorized = 4

/** The usual port if nobody has it, else any. */
const freePort = (wanted) =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once("error", () => resolve(0))
    probe.listen(wanted, "127.0.0.1", () => probe.close(() => resolve(wanted)))
  })

/** How a server is started that shows the demo: it finds the engine in a folder. */
const withEngine = (folder) => ({
  node: ["--import", new URL("engineModule.mjs", import.meta.url).href],
  flags: ["--demo"],
  env: { HEADGATE_ENGINE: folder }
})

const withSample = { node: [], flags: ["--import", sample("snapshot.json")], env: {} }

/** Starts the server and answers once it takes requests. */
const startServer = async (data, { env, flags, node }) => {
  const port = String(await freePort(7420))
  const args = ["--data", data, "--port", port, ...flags]
  const server = spawn(
    process.execPath,
    [
      ...node,
      join(root, "apps", "server", "bin", "headgate-server.mjs"),
      ...args,
      "--credentials-file",
      credentialsFileOf(data)
    ],
    { env: { ...environment, ...env }, stdio: ["ignore", "pipe", "pipe"] }
  )
  // However this process ends, it leaves no server behind.
  process.once("exit", () => server.kill("SIGTERM"))
  const ended = new Promise((resolve) => server.once("exit", resolve))
  const listening = new Promise((resolve, reject) => {
    let printed = ""
    // Its access log, which nobody reads here.
    server.stdout.resume()
    const announced = (chunk) => {
      printed += chunk
      const url = /listening on (\S+)/.exec(printed)?.[1]
      if (url === undefined) return
      // What it announces is said below in our own words; what it has to say later is passed on.
      server.stderr.off("data", announced).pipe(process.stderr)
      resolve(url)
    }
    server.stderr.on("data", announced)
    server.once("close", (code) =>
      reject(new Failure(`headgate-server ended with ${code} before it took requests:\n${printed}`))
    )
  })
  const stop = () => {
    server.kill("SIGTERM")
    return ended
  }
  return { url: await listening, ended, stop }
}

const readCredentials = (data) => {
  try {
    return JSON.parse(readFileSync(credentialsFileOf(data), "utf8"))[0]
  } catch (error) {
    const file = relative(root, credentialsFileOf(data))
    throw new Failure(
      `${file} could not be read (${error.message}): make new credentials with \`npx headgate-server key create --admin\` ` +
        "and `npx headgate-server token create --name mine`, or remove .headgate for a fresh start"
    )
  }
}

/**
 * Writes the profile that `headgate` uses in the directory of the data: the checkout, or that of --data. Its URL changes
 * with the port of each start. Only its user may read it, and a command that runs meanwhile sees the old one or the new.
 */
const writeProfile = (data, url, { keyId, keySecret, organization, services, token }) => {
  const kept = basename(data) === "demo" ? dirname(data) : data
  const project = basename(kept) === ".headgate" ? dirname(kept) : data
  const file = join(project, ".headgate", "config.json")
  const local = { url, organization: organization.id, service: services[0].id, keyId, keySecret, token }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${process.pid}`
  const text = `${JSON.stringify({ current: "local", profiles: { local } }, undefined, 2)}\n`
  writeFileSync(temporary, text, { mode: 0o600 })
  renameSync(temporary, file)
  return { file, project }
}

const typed = (args) => args.map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg}'`)).join(" ")

/** Runs one `headgate` command. Resolves with its exit code and output; `print` also gets the output as it comes. */
const run = (env, args, print) =>
  new Promise((resolve, reject) => {
    const cli = spawn(process.execPath, [join(root, "apps", "cli", "bin", "headgate.mjs"), ...args], {
      cwd: root,
      env: { ...environment, ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let output = ""
    cli.stdout.on("data", (chunk) => {
      output += chunk
      print(chunk)
    })
    cli.stderr.on("data", print)
    cli.once("error", reject)
    cli.once("close", (code) => resolve({ code, output }))
  })

/** Runs one `headgate` command as a user would, prints both, and resolves with its output. `expected` is its exit code. */
const headgate = async (env, args, expected = 0) => {
  say(`\n$ headgate ${typed(args)}`)
  const { code, output } = await run(env, args, (chunk) => process.stdout.write(chunk))
  if (code !== expected) throw new Failure(`\`headgate ${typed(args)}\` ended with exit code ${code}`)
  return output
}

const stateTimeout = 60_000

/** Waits until a pipe is in a state. */
const waitFor = async (env, id, state) => {
  const until = Date.now() + stateTimeout
  for (;;) {
    const { output } = await run(env, ["pipe", "get", id, "--json"], () => {})
    if (JSON.parse(output).state === state) return
    if (Date.now() > until) throw new Failure(`the pipe ${id} did not become ${state}: ${output}`)
    await sleep(200)
  }
}

const environmentOf = (url, { keyId, keySecret, organization, services, token }) => ({
  HEADGATE_URL: url,
  HEADGATE_ORGANIZATION: organization.id,
  HEADGATE_SERVICE: services[0].id,
  HEADGATE_KEY_ID: keyId,
  HEADGATE_KEY_SECRET: keySecret,
  HEADGATE_TOKEN: token
})

const pipeExamples = async (env) => {
  say("\n1. List the pipes, with the organization's admin key.")
  await headgate(env, ["pipe", "list"])
  say("\n2. Create a pipe from a file, and wait until it runs.")
  const file = relative(root, sample("pipe.json"))
  const { id } = JSON.parse(await headgate(env, ["pipe", "create", "--file", file, "--json"]))
  try {
    await waitFor(env, id, "Running")
    await headgate(env, ["pipe", "get", id])
    say("\n3. Stop it.")
    await headgate(env, ["pipe", "stop", id])
    await waitFor(env, id, "Stopped")
    await headgate(env, ["pipe", "status", id])
  } finally {
    // Each start would leave one.
    say("\n   The pipe of this example is deleted again.")
    await headgate(env, ["pipe", "delete", id, "--yes"])
  }
}

const keyExamples = async (env) => {
  say("\n4. Create a key that may read and no more, good for one hour, and read with it.")
  const { key, keyId, keySecret } = JSON.parse(
    await headgate(env, ["key", "create", "--name", "example", "--role", "developer", "--expires", "1h", "--json"])
  )
  const asKey = { ...env, HEADGATE_KEY_ID: keyId, HEADGATE_KEY_SECRET: keySecret }
  try {
    await headgate(asKey, ["pipe", "list"])
    say("\n5. Disable the key. The service then refuses it.")
    await headgate(env, ["key", "update", key.id, "--state", "disabled"])
    await headgate(asKey, ["pipe", "list"], exitUnauthorized)
  } finally {
    say("\n   The key of this example is deleted again.")
    await headgate(env, ["key", "delete", key.id, "--yes"])
  }
}

const dashboardExamples = async (env) => {
  const file = relative(root, sample("dashboard.json"))
  const { name } = JSON.parse(readFileSync(sample("dashboard.json"), "utf8"))
  say("\n6. Create a dashboard from a file if there is none, then replace it with the file.")
  const listed = JSON.parse(await headgate(env, ["dashboard", "list", "--json"])).find((one) => one.name === name)
  const { id } = listed ?? JSON.parse(await headgate(env, ["dashboard", "create", "--file", file, "--json"]))
  await headgate(env, ["dashboard", "update", id, "--file", file])
}

const runExamples = async (env) => {
  await pipeExamples(env)
  await keyExamples(env)
  await dashboardExamples(env)
}

/** The pipes of the demo, once the first of them moves rows. */
const showDemo = async (env) => {
  await waitFor(env, "clicks", "Running")
  await headgate(env, ["pipe", "list"])
  say("\nThe rows are made up: 200 requests a second to the services of a shop. A minute after the first start,")
  say("orders is stopped, and logs has failed: its topic has lost rows that it had not read.")
}

const sampleCommands = [
  ["npx headgate", "which service the commands use"],
  ["npx headgate pipe list"],
  ["npx headgate console", "another address of the console"],
  ["npx headgate --help"]
]

const demoCommands = [
  ["npx headgate dashboard show Shop --from -15m"],
  ["npx headgate pipe errors clicks", "rows that the table has rejected"],
  ["npx headgate pipe resume logs --skip", "leave out the rows that are lost"],
  ["npx headgate console", "another address of the console"],
  ["npx headgate --help"]
]

/** The page of the console, with a code that signs in once as the admin key. It is in the fragment, which no request holds. */
const consoleUrl = async (url, { keyId, keySecret, organization }) => {
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`
  const path = `/v1/organizations/${organization.id}/consoleCodes`
  const response = await fetch(`${url}${path}`, { method: "POST", headers: { authorization } })
  if (!response.ok) throw new Failure(`no code for the console: ${response.status} ${await response.text()}`)
  return `${url}/console#code=${(await response.json()).result.code}`
}

/** What stays on the screen while the server runs: the last lines. */
const sayWhatIsThere = async (url, credentials, { file, project }, commands) => {
  say("\nThe server stays up until Ctrl-C:")
  say(`  API            ${url}`)
  say(`  documentation  ${url}/docs`)
  say(`  OpenAPI        ${url}/openapi.json`)
  say(`\nIn another terminal, in ${relative(root, project) || "this directory"}:`)
  const width = Math.max(...commands.map(([command, what]) => (what === undefined ? 0 : command.length)))
  for (const [command, what] of commands) {
    say(what === undefined ? `  ${command}` : `  ${command.padEnd(width)}   ${what}`)
  }
  say(`\nThey read the URL and the credentials from ${relative(root, file)}.`)
  say("\nThe console, in a browser; the address signs in once, within 5 minutes:")
  say(`  ${await consoleUrl(url, credentials)}`)
}

const main = async () => {
  const flags = readFlags()
  const { data } = flags
  // Whoever reads our output may stop reading.
  process.stdout.once("error", () => process.exit(1))
  const start = flags.demo ? withEngine(await ensureEngine({ root, say, yes: flags.yes })) : withSample
  const server = await startServer(data, start)
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, server.stop)
  try {
    say(`headgate-server listens on ${server.url}, its data is in ${relative(root, data)}/`)
    const credentials = readCredentials(data)
    const profile = writeProfile(data, server.url, credentials)
    await (flags.demo ? showDemo : runExamples)(environmentOf(server.url, credentials))
    if (flags.once) {
      say("\nAll steps done.")
      return
    }
    await sayWhatIsThere(server.url, credentials, profile, flags.demo ? demoCommands : sampleCommands)
    await server.ended
  } finally {
    await server.stop()
  }
}

main().catch((error) => {
  process.stderr.write(`npm start: ${error instanceof Refusal ? error.message : error.stack}\n`)
  process.exitCode = 1
})
