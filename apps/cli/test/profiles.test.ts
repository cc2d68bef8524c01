import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { assert, beforeEach, describe, it } from "vitest"
import { configHome } from "./configHome.ts"
import {
  everything,
  headgate,
  headgateProcess,
  organization,
  pipeId,
  secrets,
  serviceId,
  unreachable
} from "./headgate.ts"
import { enveloped, service } from "./Service.ts"

const api = service()
const home = configHome()
beforeEach(home.clear)

const profile = (url: string, keyId = "keyOfTheProfile") => ({
  url,
  organization,
  service: serviceId,
  keyId,
  keySecret: secrets.keySecret,
  token: secrets.token
})

const saved = (url: string, more: object = {}) => ({ current: "main", profiles: { main: profile(url), ...more } })

const get = ["pipe", "get", pipeId, "--max-retries", "0"]

const respond = () => api.respondWith(enveloped({ id: pipeId, serviceId, name: "n", state: "Running" }))

const basic = (keyId: string): string => `Basic ${Buffer.from(`${keyId}:${secrets.keySecret}`).toString("base64")}`

const keyIds = () => api.received.map(({ headers }) => headers.authorization)

/** Runs a command with the profiles of this file. */
const run = (args: ReadonlyArray<string>, env: Record<string, string> = {}, options: { userId?: number } = {}) =>
  headgate(args, { env: { ...home.env, ...env }, cwd: home.project, ...options })

describe("a profile", () => {
  it("sets what no flag and no variable sets", async () => {
    home.write(saved(api.url))
    respond()
    assert.strictEqual((await run(get)).exitCode, 0)
    assert.deepStrictEqual(keyIds(), [basic("keyOfTheProfile")])
    assert.include(api.received[0]?.path ?? "", `/organizations/${organization}/services/${serviceId}/`)
  })

  it("is found below HOME without XDG_CONFIG_HOME, by a process of its own", async () => {
    home.write(saved(unreachable))
    const document = JSON.stringify(saved(api.url))
    mkdirSync(`${home.project}/.config/headgate`, { recursive: true })
    writeFileSync(`${home.project}/.config/headgate/config.json`, document, { mode: 0o600 })
    respond()
    const ended = await headgateProcess(get, { env: { HOME: home.project }, cwd: home.project })
    assert.deepStrictEqual([ended.exitCode, ended.stderr], [0, ""])
    assert.deepStrictEqual(keyIds(), [basic("keyOfTheProfile")])
  })

  it("gives dashboards its token", async () => {
    home.write(saved(api.url))
    api.respondWith({ status: 200, body: { data: [] } })
    assert.strictEqual((await run(["dashboard", "list"])).exitCode, 0)
    assert.deepStrictEqual(keyIds(), [`Bearer ${secrets.token}`])
  })

  it("lets organization, service and dialect be overridden singly", async () => {
    home.write(saved(api.url))
    respond()
    const other = "33333333-3333-4333-8333-333333333333"
    await run([...get, "--service", other], { HEADGATE_ORGANIZATION: other, HEADGATE_DIALECT: "neutral" })
    assert.include(api.received[0]?.path ?? "", `/organizations/${other}/services/${other}/dbpipes/`)
    assert.deepStrictEqual(keyIds(), [basic("keyOfTheProfile")])
  })

  it.each<[string, Record<string, string>]>([
    ["HEADGATE_URL", { HEADGATE_URL: unreachable }],
    ["HEADGATE_OBSERVABILITY_URL", { HEADGATE_OBSERVABILITY_URL: unreachable }],
    ["HEADGATE_KEY_ID", { HEADGATE_KEY_ID: "other" }],
    ["HEADGATE_KEY_SECRET", { HEADGATE_KEY_SECRET: "hgs_other" }],
    ["HEADGATE_TOKEN", { HEADGATE_TOKEN: "hgt_other" }]
  ])("gives nothing if %s is set: nothing is sent, and the error says what is missing and why", async (name, env) => {
    const file = home.write(saved(api.url))
    const ended = await run(get, env)
    assert.deepStrictEqual([ended.exitCode, ended.stdout, api.received.length], [2, "", 0])
    assert.include(ended.stderr, `The profile "main" in ${file} was not used, because ${name} is set`)
    for (const missing of ["--url", "--key-id", "--key-secret"]) {
      const isGiven = name === `HEADGATE_${missing.slice(2).toUpperCase().replace("-", "_")}`
      assert.strictEqual(ended.stderr.includes(`  ${missing} <`), !isGiven, missing)
    }
  })

  it("is not read if flags and variables set everything", async () => {
    home.write("not JSON", 0o666)
    respond()
    assert.strictEqual((await run(get, everything(api.url))).exitCode, 0)
    assert.deepStrictEqual(keyIds(), [basic("keyOfTheTests")])
  })

  it("of --profile with a variable for the URL is an error, because one of the two would be ignored", async () => {
    home.write(saved(api.url))
    const ended = await run([...get, "--profile", "main"], everything(api.url))
    assert.deepStrictEqual([ended.exitCode, api.received.length], [2, 0])
    assert.include(ended.stderr, "--profile cannot be used, because HEADGATE_URL is set")
  })

  it("without a token says how to add it", async () => {
    const { token: _, service: __, ...rest } = profile(api.url)
    home.write({ current: "main", profiles: { main: rest } })
    const ended = await run(["connection", "list"])
    assert.strictEqual(ended.exitCode, 2)
    assert.include(ended.stderr, "--token <secret> or HEADGATE_TOKEN")
    assert.include(ended.stderr, "does not have this. To add it, run 'headgate login --profile main'")
  })

  it("is offered if there is none", async () => {
    const ended = await run(get)
    assert.strictEqual(ended.exitCode, 2)
    assert.include(ended.stderr, "'headgate login' keeps them in a profile.")
  })

  it("is not read by help, completions and --version", async () => {
    home.write("not JSON", 0o666)
    home.writeProject("not JSON", 0o666)
    for (const args of [["--help"], ["pipe", "get", "--help"], ["--completions", "bash"], ["--version"]]) {
      const ended = await run(args)
      assert.deepStrictEqual([ended.exitCode, ended.stderr], [0, ""], args.join(" "))
    }
  })
})

describe("the order of profiles", () => {
  const ofUser = (name: string) => profile(api.url, name)
  const usedKey = async (args: ReadonlyArray<string> = [], env: Record<string, string> = {}) => {
    respond()
    const ended = await run([...get, ...args], env)
    return ended.exitCode === 0 ? keyIds().at(-1) : ended.stderr
  }

  it("is --profile, HEADGATE_PROFILE, that of the project, the current one of the user", async () => {
    home.write({ current: "a", profiles: { a: ofUser("a"), b: ofUser("b"), c: ofUser("c") } })
    assert.strictEqual(await usedKey(), basic("a"))
    home.writeProject({ current: "local", profiles: { local: ofUser("local") } })
    assert.strictEqual(await usedKey(), basic("local"))
    assert.strictEqual(await usedKey([], { HEADGATE_PROFILE: "b" }), basic("b"))
    assert.strictEqual(await usedKey(["--profile", "c"], { HEADGATE_PROFILE: "b" }), basic("c"))
    assert.strictEqual(await usedKey(["--profile", "local"]), basic("local"))
  })

  it("finds the profile of the project from a directory below", async () => {
    home.writeProject({ current: "local", profiles: { local: ofUser("local") } })
    respond()
    const below = { env: home.env, cwd: `${home.project}/a/b` }
    assert.strictEqual((await headgate(get, below)).exitCode, 0)
    assert.deepStrictEqual(keyIds(), [basic("local")])
  })

  it("names the profiles there are if there is none of that name", async () => {
    home.write({ current: "a", profiles: { a: ofUser("a"), b: ofUser("b") } })
    for (const name of ["nope", "constructor", "__proto__"]) {
      const ended = await run(get, { HEADGATE_PROFILE: name })
      assert.deepStrictEqual([ended.exitCode, api.received.length], [2, 0])
      assert.include(ended.stderr, `There is no profile "${name}"`)
      assert.include(ended.stderr, "it has a, b")
    }
  })
})

describe("a file of profiles is refused", () => {
  it.each([0o644, 0o640, 0o604, 0o660])("if its mode is %o", async (mode) => {
    const file = home.write(saved(api.url), mode)
    const ended = await run(get)
    assert.deepStrictEqual([ended.exitCode, api.received.length], [2, 0])
    assert.include(ended.stderr, `chmod 600 ${file}`)
  })

  it("if it belongs to another user", async () => {
    const file = home.write(saved(api.url))
    const ended = await run(get, {}, { userId: (process.getuid?.() ?? 0) + 1 })
    assert.deepStrictEqual([ended.exitCode, api.received.length], [2, 0])
    assert.include(ended.stderr, `${file} was not used: it belongs to another user`)
  })

  it.each<[string, unknown, string]>([
    ["that is not JSON", `{"profiles": {"main": {"keySecret": "${secrets.keySecret}"`, "is not JSON"],
    ["without profiles", { current: "main" }, "profiles: Missing"],
    ["with a wrong field", { profiles: { main: { ...profile("x"), url: 5 } } }, "profiles.main.url: Expected string"],
    ["with a wrong secret", { profiles: { main: { token: [secrets.token] } } }, "profiles.main.token: Expected string"],
    ["whose current profile is not there", { current: "gone", profiles: {} }, 'There is no profile "gone"']
  ])("%s, without a word of its content", async (_, document, words) => {
    const file = home.write(document)
    const ended = await run(get)
    assert.deepStrictEqual([ended.exitCode, ended.stdout], [2, ""])
    assert.include(ended.stderr, file)
    assert.include(ended.stderr, words)
    assert.notInclude(ended.stderr, "s3cr3t")
  })
})

describe("the profile of a project is refused", () => {
  const self = process.getuid?.() ?? 0
  const local = (more: object) => ({ current: "local", profiles: { local: { ...profile(api.url), ...more } } })

  const refusals: ReadonlyArray<[string, object, string, number, number]> = [
    ["its URL is remote", { url: "https://api.example.com" }, "may only have a loopback URL", 0o600, self],
    ["its URL looks like loopback", { url: "http://127.0.0.1.example.com" }, "loopback URL", 0o600, self],
    ["its URL has a user", { url: "http://localhost@example.com" }, "loopback URL", 0o600, self],
    ["its URL is none", { url: "nonsense" }, "loopback URL", 0o600, self],
    ["its observability URL is remote", { observabilityUrl: "https://example.com" }, "loopback URL", 0o600, self],
    ["it reads the keychain", { keychain: ["token"] }, "may not read the keychain", 0o600, self],
    ["others can read it", {}, "chmod 600", 0o644, self],
    ["it belongs to another user", {}, "belongs to another user", 0o600, self + 1]
  ]

  it.each(refusals)("if %s", async (_, more, words, mode, userId) => {
    if (userId === self) home.write(saved(api.url))
    const file = home.writeProject(local(more), mode)
    const ended = await run(get, {}, { userId })
    assert.deepStrictEqual([ended.exitCode, ended.stdout, api.received.length], [2, "", 0])
    assert.include(ended.stderr, file)
    assert.include(ended.stderr, words)
  })

  it.each(refusals)(
    "if %s, and list shows the others and says why in one line",
    async (_, more, words, mode, userId) => {
      const others = userId === self ? ["main", "other"] : []
      if (userId === self) home.write(saved(api.url, { other: profile("https://api.example.com") }))
      const file = home.writeProject(local(more), mode)
      const list = (...args: ReadonlyArray<string>) => run(["profile", "list", "--json", ...args], {}, { userId })
      const listed = async (...args: ReadonlyArray<string>) =>
        JSON.parse((await list(...args)).stdout).map(({ isCurrent, name }: Record<string, unknown>) => [
          name,
          isCurrent
        ])
      assert.deepStrictEqual(
        await listed(),
        others.map((name) => [name, false])
      )
      assert.deepStrictEqual(
        await listed("--profile", "other"),
        others.map((name) => [name, name === "other"])
      )
      const { exitCode, stderr } = await list()
      assert.strictEqual(exitCode, 0)
      assert.match(stderr, /^note: .*\n$/)
      assert.include(stderr, file)
      assert.include(stderr, words)
    }
  )

  it("and --profile goes on without it", async () => {
    home.write(saved(api.url))
    home.writeProject(local({ url: "https://example.com" }))
    respond()
    assert.strictEqual((await run([...get, "--profile", "main"])).exitCode, 0)
  })
})

describe("headgate profile", () => {
  it("list shows all profiles, marks the one in use and shows no secret", async () => {
    const file = home.write(saved(api.url, { other: profile("https://api.example.com") }))
    const projectFile = home.writeProject({ current: "local", profiles: { local: profile(api.url) } })
    const text = await run(["profile", "list"])
    assert.strictEqual(text.exitCode, 0)
    assert.match(text.stdout, new RegExp(`^\\* local +${api.url} +${projectFile}$`, "m"))
    assert.match(text.stdout, new RegExp(`^  main +${api.url} +${file}$`, "m"))
    const json = await run(["profile", "list", "--json", "--log-level", "all"], { HEADGATE_PROFILE: "other" })
    assert.deepStrictEqual(
      JSON.parse(json.stdout).map((one: { name: string; isCurrent: boolean }) => [one.name, one.isCurrent]),
      [
        ["local", false],
        ["main", false],
        ["other", true]
      ]
    )
    assert.notInclude(text.stdout + text.stderr + json.stdout + json.stderr, "s3cr3t")
  })

  it("list says what to do if there is none", async () => {
    const ended = await run(["profile", "list"])
    assert.deepStrictEqual([ended.exitCode, ended.stdout], [0, ""])
    assert.include(ended.stderr, "headgate login")
  })

  it("use chooses the profile of the commands that follow, and says what comes before it", async () => {
    home.write(saved(api.url, { other: profile(api.url, "other") }))
    const ended = await run(["profile", "use", "other"])
    assert.deepStrictEqual([ended.exitCode, ended.stderr], [0, 'The profile "other" is used from now on.\n'])
    assert.strictEqual(home.read().current, "other")
    assert.strictEqual(home.mode(home.file), "600")
    assert.strictEqual(home.mode(dirname(home.file)), "700")
    assert.strictEqual(home.read().profiles["main"]?.["keySecret"], secrets.keySecret)
    const projectFile = home.writeProject({ current: "local", profiles: { local: profile(api.url) } })
    assert.include((await run(["profile", "use", "main"])).stderr, `use the profile in ${projectFile}`)
    assert.include(
      (await run(["profile", "use", "main"], { HEADGATE_KEY_ID: "x" })).stderr,
      "HEADGATE_KEY_ID is set: until it is unset"
    )
    assert.include(
      (await run(["profile", "use", "main"], { HEADGATE_PROFILE: "other" })).stderr,
      "HEADGATE_PROFILE is set: until it is unset"
    )
  })

  it("use refuses a name that is not there", async () => {
    home.write(saved(api.url))
    const ended = await run(["profile", "use", "nope"])
    assert.strictEqual(ended.exitCode, 2)
    assert.include(ended.stderr, "it has main")
    assert.strictEqual(home.read().current, "main")
  })

  it("delete removes the profile with its secrets and leaves the others", async () => {
    home.write(saved(api.url, { other: profile(api.url, "other") }))
    assert.include((await run(["profile", "delete", "main"])).stderr, "--yes")
    assert.property(home.read().profiles, "main")
    assert.strictEqual((await run(["profile", "delete", "main", "--yes"])).exitCode, 0)
    assert.deepStrictEqual([home.read().current, Object.keys(home.read().profiles)], [undefined, ["other"]])
    const ended = await run(get)
    assert.deepStrictEqual([ended.exitCode, api.received.length], [2, 0])
  })
})

describe("headgate without a command", () => {
  it("shows the profile in use without calling the service", async () => {
    const file = home.write(saved(api.url))
    const ended = await run([])
    assert.deepStrictEqual([ended.exitCode, api.received.length], [0, 0])
    for (const word of ["main", file, api.url, organization, serviceId, "keyOfTheProfile"]) {
      assert.include(ended.stdout, word)
    }
    assert.include(ended.stderr, "headgate pipe list")
    assert.notInclude(ended.stdout + ended.stderr, "s3cr3t")
    const { from, profile: name } = JSON.parse((await run(["--json"])).stdout)
    assert.deepStrictEqual([name, from], ["main", file])
  })

  it("says that variables are used instead of the profile", async () => {
    home.write(saved(unreachable))
    const ended = await run([], everything(api.url))
    assert.include(ended.stdout, "flags and variables, such as HEADGATE_URL")
    assert.include(ended.stdout, api.url)
    assert.notInclude(ended.stdout, "main")
  })

  it("says how to log in if there is no profile", async () => {
    const ended = await run([])
    assert.deepStrictEqual([ended.exitCode, ended.stdout], [0, "Not logged in.\n"])
    assert.include(ended.stderr, "headgate login")
    assert.strictEqual((await run(["--json"])).stdout, "{}\n")
  })

  it("reports a file that cannot be used", async () => {
    home.write(saved(api.url), 0o644)
    const ended = await run([])
    assert.deepStrictEqual([ended.exitCode, ended.stdout], [2, ""])
    assert.include(ended.stderr, "chmod 600")
  })
})
