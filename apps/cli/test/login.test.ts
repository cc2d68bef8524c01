import { readFileSync } from "node:fs"
import { dirname } from "node:path"
import { assert, beforeEach, describe, it } from "vitest"
import { configHome } from "./configHome.ts"
import { headgate, organization, pipeId, secrets, serviceId, unreachable } from "./headgate.ts"
import { enveloped, errorReply, type ReceivedRequest, type Reply, service } from "./Service.ts"

const api = service()
const dashboards = service()
const home = configHome()
beforeEach(home.clear)

const other = "33333333-3333-4333-8333-333333333333"

interface Content {
  readonly organizations?: ReadonlyArray<string>
  readonly services?: ReadonlyArray<string> | Reply
  readonly token?: Reply
}

/** A service with these organizations and services, which accepts every credential unless `token` is an error. */
const respond = ({ organizations = [organization], services = [serviceId], token }: Content = {}) => {
  const named = (ids: ReadonlyArray<string>) =>
    ids.map((id) => ({ id, name: `name of ${id.slice(0, 4)}`, state: "running" }))
  const reply = ({ path }: ReceivedRequest): Reply => {
    if (path.includes("/dashboards")) return token ?? { status: 200, body: { data: [] } }
    if (path.includes("/dbpipes/")) return enveloped({ id: pipeId, serviceId, name: "n", state: "Running" })
    if (!path.endsWith("/services")) return enveloped(named(organizations))
    return Array.isArray(services) ? enveloped(named(services)) : (services as Reply)
  }
  api.respondWith(reply)
  dashboards.respondWith(reply)
}

const key = ["--key-id", "keyOfTheLogin", "--key-secret", secrets.keySecret]
const token = ["--token", secrets.token]
const host = () => new URL(api.url).host

const run = (args: ReadonlyArray<string>, env: Record<string, string> = {}, stdin = "") =>
  headgate([...args, "--max-retries", "0"], { env: { ...home.env, ...env }, cwd: home.project, stdin })

const login = (args: ReadonlyArray<string>, env: Record<string, string> = {}, stdin = "") =>
  run(["login", "--url", api.url, ...args], env, stdin)

describe("headgate login", () => {
  it("saves key, token, organization and service in a private file, and the next command uses them", async () => {
    respond()
    const ended = await login([...key, ...token])
    assert.deepStrictEqual([ended.exitCode, ended.stdout], [0, ""])
    assert.strictEqual(ended.stderr, `Logged in. The profile "${host()}" is in ${home.file}.\n`)
    assert.deepStrictEqual([home.mode(home.file), home.mode(dirname(home.file))], ["600", "700"])
    assert.deepStrictEqual(home.read(), {
      current: host(),
      profiles: {
        [host()]: {
          url: api.url,
          organization,
          service: serviceId,
          keyId: "keyOfTheLogin",
          keySecret: secrets.keySecret,
          token: secrets.token
        }
      }
    })
    assert.strictEqual((await run(["pipe", "get", pipeId])).exitCode, 0)
    assert.strictEqual((await run(["dashboard", "list"])).exitCode, 0)
    assert.strictEqual(api.received.at(-1)?.headers.authorization, `Bearer ${secrets.token}`)
  })

  it("takes a token alone from stdin, and the observability URL", async () => {
    respond()
    const args = ["login", "--observability-url", dashboards.url, "--token", "-", "--profile", "boards"]
    assert.strictEqual((await run(args, {}, `${secrets.token}\n`)).exitCode, 0)
    assert.deepStrictEqual(home.read(), {
      current: "boards",
      profiles: { boards: { observabilityUrl: dashboards.url, token: secrets.token } }
    })
    assert.deepStrictEqual([api.received.length, dashboards.received.length], [0, 1])
  })

  it("takes everything from the environment, and says that the environment comes first", async () => {
    respond()
    const env = { HEADGATE_URL: api.url, HEADGATE_KEY_ID: "k", HEADGATE_KEY_SECRET: "s", HEADGATE_PROFILE: "ci" }
    const ended = await run(["login"], env)
    assert.strictEqual(ended.exitCode, 0)
    assert.include(ended.stderr, "note: HEADGATE_URL is set: until it is unset, commands use no profile.")
    assert.strictEqual(home.read().current, "ci")
  })

  it("replaces the profile of that name and leaves the others", async () => {
    home.write({ current: "a", profiles: { a: { url: "https://a.example.com", token: "x" }, b: { url: "https://b" } } })
    respond()
    await login([...key, "--profile", "a", "--dialect", "clickhouse"])
    assert.deepStrictEqual(Object.keys(home.read().profiles), ["a", "b"])
    assert.notProperty(home.read().profiles["a"] ?? {}, "token")
    assert.strictEqual(home.read().profiles["a"]?.["dialect"], "clickhouse")
  })

  it.each<[string, ReadonlyArray<string>, ReadonlyArray<string>, ReadonlyArray<string>]>([
    ["everything", [], ["--url", "--key-id <id> and --key-secret", "--token", "a line of stdin"], []],
    ["a URL", key, ["--url"], ["--token", "--key-id"]],
    ["a secret", ["--url", "https://x", "--key-id", "k"], ["--key-secret"], ["--token", "--url <"]],
    ["a key id", ["--url", "https://x", "--key-secret", "s"], ["--key-id"], ["--token", "--url <"]],
    ["credentials", ["--url", "https://x"], ["--key-id <id> and --key-secret", "--token"], ["--url <"]],
    ["a URL for a token", token, ["--observability-url", "--url"], ["--key-id"]]
  ])("says without a terminal that it misses %s", async (_, args, missing, present) => {
    const ended = await run(["login", ...args])
    assert.deepStrictEqual([ended.exitCode, ended.stdout], [2, ""])
    for (const word of missing) assert.include(ended.stderr, word)
    for (const word of present) assert.notInclude(ended.stderr, word)
  })

  it.each<[string, ReadonlyArray<string>, string]>([
    ["two secrets of stdin", ["--key-id", "k", "--key-secret", "-", "--token", "-"], "both read stdin"],
    ["a name like a flag", [...key, "--profile=--x"], "Expected letters, digits"],
    ["an unknown dialect", key, 'HEADGATE_DIALECT "klingon"'],
    ["a URL that is none", [...key, "--url", "nonsense"], '--url "nonsense": Expected a URL'],
    ["http to another host", [...key, "--url", "http://api.example.com"], "--allow-insecure-http"]
  ])("refuses %s before it sends anything", async (name, args, words) => {
    respond()
    const env: Record<string, string> = name === "an unknown dialect" ? { HEADGATE_DIALECT: "klingon" } : {}
    const ended = await run(["login", ...(args.includes("--url") ? [] : ["--url", api.url]), ...args], env, "x\n")
    assert.deepStrictEqual([ended.exitCode, api.received.length], [2, 0])
    assert.include(ended.stderr, words)
  })

  it.each<["key" | "token", number, string]>([
    ["key", 401, "UNAUTHORIZED: unknown"],
    ["key", 403, "FORBIDDEN: not from this address"],
    ["token", 401, "unknown"],
    ["token", 403, "not from this address"]
  ])("says that the %s was refused with %i, and saves nothing", async (which, status, message) => {
    const error = which === "key" ? errorReply(status, message) : { status, body: { message } }
    respond(which === "token" ? { token: error } : {})
    if (which === "key") {
      api.respondWith(({ path }) => (path.includes("/dashboards") ? { status: 200, body: { data: [] } } : error))
    }
    const ended = await login([...key, ...token, "--json"])
    assert.deepStrictEqual([ended.exitCode, ended.stdout], [4, ""])
    const report = JSON.parse(ended.stderr).error
    assert.include(report, { tag: "CredentialsRefused", status })
    assert.include(report.message, `${api.url} refused ${which === "key" ? "the key keyOfTheLogin" : "the token"}`)
    assert.throws(() => home.read(), /ENOENT/)
  })

  it("saves nothing if the service cannot be reached", async () => {
    const ended = await run(["login", "--url", unreachable, ...key])
    assert.strictEqual(ended.exitCode, 1)
    assert.throws(() => home.read(), /ENOENT/)
  })

  it.each<[string, Content, string]>([
    ["organizations", { organizations: [organization, other] }, "--organization <id>"],
    ["services", { services: [serviceId, other] }, "--service <id>"]
  ])("names the %s if there are several, and takes the one that is given", async (_, content, flag) => {
    respond(content)
    const ended = await login(key)
    assert.strictEqual(ended.exitCode, 2)
    assert.include(ended.stderr, flag)
    assert.include(ended.stderr, `${other}  name of 3333`)
    const [name = ""] = flag.split(" ")
    assert.strictEqual((await login([...key, name, other])).exitCode, 0)
    assert.strictEqual(home.read().profiles[host()]?.[name.slice(2)], other)
  })

  it.each(["--organization", "--service"])("refuses an %s that the key does not have", async (flag) => {
    respond()
    const ended = await login([...key, flag, other])
    assert.strictEqual(ended.exitCode, 2)
    assert.include(ended.stderr, `${flag} "${other}" is no ${flag.slice(2)} of this key`)
    assert.throws(() => home.read(), /ENOENT/)
  })

  it("saves a key that may not list services, with the service that is given", async () => {
    respond({ services: errorReply(403, "FORBIDDEN: no role") })
    const ended = await login([...key, "--service", other])
    assert.strictEqual(ended.exitCode, 0)
    assert.include(ended.stderr, "may not list services")
    assert.strictEqual(home.read().profiles[host()]?.["service"], other)
  })

  it("says that the profile of the project comes first", async () => {
    respond()
    const file = home.writeProject({ current: "p", profiles: { p: { url: unreachable } } })
    assert.include((await login(key)).stderr, `note: commands in this directory use the profile in ${file}`)
  })

  it("refuses to add to a file that others can read, and leaves it as it is", async () => {
    respond()
    const file = home.write({ profiles: {} }, 0o644)
    const ended = await login(key)
    assert.strictEqual(ended.exitCode, 2)
    assert.include(ended.stderr, `chmod 600 ${file}`)
    assert.strictEqual(readFileSync(file, "utf8"), '{"profiles":{}}')
  })

  it("needs a place for its file", async () => {
    respond()
    const ended = await headgate(["login", "--url", api.url, ...key])
    assert.deepStrictEqual([ended.exitCode, api.received.length], [2, 0])
    assert.include(ended.stderr, "set XDG_CONFIG_HOME or HOME")
  })
})

describe("headgate logout", () => {
  it("deletes the current profile or the one that is named", async () => {
    home.write({ current: "a", profiles: { a: { url: "u", token: "x" }, b: { url: "u" }, c: { url: "u" } } })
    assert.strictEqual((await run(["logout"])).exitCode, 0)
    assert.deepStrictEqual(home.read(), { profiles: { b: { url: "u" }, c: { url: "u" } } })
    const again = await run(["logout"])
    assert.strictEqual(again.exitCode, 2)
    assert.include(again.stderr, "Not logged in")
    assert.strictEqual((await run(["logout", "--profile", "c"])).exitCode, 0)
    assert.deepStrictEqual(Object.keys(home.read().profiles), ["b"])
    assert.include((await run(["logout", "--profile", "c"])).stderr, "it has b")
  })
})

describe("headgate whoami --explain", () => {
  const saved = () => ({
    current: "main",
    profiles: { main: { url: api.url, keyId: "k", ...secrets, service: serviceId } }
  })
  const respondWhoami = () =>
    api.respondWith(enveloped({ organization: { id: organization, name: "Acme" }, roles: ["admin"] }))

  it("shows the source of each setting, then the caller", async () => {
    const file = home.write(saved())
    respondWhoami()
    const ended = await run(["whoami", "--explain", "--organization", organization], { HEADGATE_SERVICE: other })
    assert.deepStrictEqual([ended.exitCode, ended.stderr], [0, ""])
    const row = (name: string) =>
      ended.stdout
        .split("\n")
        .find((line) => line.startsWith(`${name} `))
        ?.split(/ {2,}/)
    assert.deepStrictEqual(row("url"), ["url", api.url, `profile "main" in ${file}`])
    assert.deepStrictEqual(row("organization"), ["organization", organization, "--organization"])
    assert.deepStrictEqual(row("service"), ["service", other, "HEADGATE_SERVICE"])
    assert.deepStrictEqual(row("key-secret"), ["key-secret", "<redacted>", `profile "main" in ${file}`])
    assert.deepStrictEqual(row("dialect"), ["dialect", "not set"])
    assert.include(ended.stdout, "Acme")
  })

  it("shows them too if the service refuses the key", async () => {
    home.write(saved())
    api.respondWith(errorReply(401, "UNAUTHORIZED: no"))
    const ended = await run(["whoami", "--explain"])
    assert.strictEqual(ended.exitCode, 4)
    assert.include(ended.stdout, 'profile "main"')
  })

  it("says why the profile is not used", async () => {
    home.write(saved())
    const ended = await run(["whoami", "--explain"], { HEADGATE_KEY_ID: "other" })
    assert.strictEqual(ended.exitCode, 2)
    assert.include(ended.stderr, 'note: The profile "main"')
    assert.include(ended.stderr, "because HEADGATE_KEY_ID is set")
  })

  it("adds the settings to the JSON of whoami", async () => {
    const file = home.write(saved())
    respondWhoami()
    const plain = JSON.parse((await run(["whoami", "--json"])).stdout)
    const { settings, ...caller } = JSON.parse((await run(["whoami", "--explain", "--json"])).stdout)
    assert.deepStrictEqual(caller, plain)
    assert.deepInclude(settings, { name: "token", value: "<redacted>", source: `profile "main" in ${file}` })
    assert.deepInclude(settings, { name: "dialect" })
  })
})

describe("secrets of a login and of a profile", () => {
  it("are in no output", async () => {
    const both = [...key, ...token]
    const refuse = ({ headers, path }: ReceivedRequest) => errorReply(401, `NO: ${path} ${JSON.stringify(headers)}`)
    const profiles: ReadonlyArray<ReadonlyArray<string>> = [
      ["whoami"],
      ["whoami", "--explain"],
      ["profile", "list"],
      ["profile", "use", "main"],
      ["dashboard", "list"],
      ["logout"]
    ]
    const commands = [["login", "--url", "REPLACED", ...both], ["login", "--url", "REPLACED", ...both], ...profiles]
    for (const refuses of [false, true]) {
      for (const command of commands) {
        for (const more of [[], ["--json"], ["--log-level", "all"]]) {
          home.write({ current: "main", profiles: { main: { url: api.url, keyId: "keyOfTheLogin", ...secrets } } })
          respond()
          if (refuses) api.respondWith(refuse)
          const ended = await run([...command.map((word) => (word === "REPLACED" ? api.url : word)), ...more])
          const encoded = Buffer.from(`keyOfTheLogin:${secrets.keySecret}`).toString("base64")
          for (const secret of [secrets.keySecret, secrets.token, encoded]) {
            assert.notInclude(ended.stdout + ended.stderr, secret, command.join(" "))
          }
        }
      }
    }
  })
})
