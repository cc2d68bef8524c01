import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { refused, refusedIn } from "./support/commandLine.ts"
import { organizationId } from "./support/fullSnapshot.ts"
import { assertFits } from "./support/narrowTerminal.ts"
import { headgate, operate, temporaryDirectory } from "./support/processes.ts"

const aUuid = "a UUID such as 6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f"
const network = "an address or CIDR block such as 10.0.0.0/8"

const origin = "an http or https URL without a path, such as https://headgate.example.com"
const allowed = "the name of a host, an address or a CIDR block such as 10.0.0.0/8"
const bytes = "a number of bytes such as 512MiB or 2GiB, from 1MiB to 1024GiB"
const queryDatabase = "a database, or <id of an organization>=database; none of the engine's own, such as system"

/** The command of a line, with its verb. */
const commandOf = (line: string): string => /^ (?:key|token) [a-z]+/.exec(` ${line}`)?.[0] ?? ""

describe("a value that is wrong", () => {
  it.effect.each<readonly [line: string, said: string]>([
    ["--port 70000", `flag --port: "70000". Expected: a port from 0 to 65535`],
    ["--trust-proxy x", `flag --trust-proxy: "x". Expected: ${network}`],
    ["--public-url x", `flag --public-url: "x". Expected: ${origin}`],
    ["--public-url ftp://x", `flag --public-url: "ftp://x". Expected: ${origin}`],
    ["--public-url https://x/console", `flag --public-url: "https://x/console". Expected: ${origin}`],
    ["--public-url https://x?a", `flag --public-url: "https://x?a". Expected: ${origin}`],
    ["--metrics-from x", `flag --metrics-from: "x". Expected: ${network}`],
    ["--rate-limit x", `flag --rate-limit: "x". Expected: off, or a count and a time such as 10/10s`],
    ["--login-limit x", `flag --login-limit: "x". Expected: off, or a count and a time such as 20/m`],
    ["--drain-delay 5", `flag --drain-delay: "5". Expected: a time such as 500ms, 5s or 1m`],
    ["--shutdown-grace x", `flag --shutdown-grace: "x". Expected: a time such as 500ms, 5s or 1m`],
    ["--otlp-endpoint x", `flag --otlp-endpoint: "<redacted>". Expected: a URL such as http://localhost:4318`],
    [
      "--otlp-endpoint ftp://user:password@collector",
      `flag --otlp-endpoint: "<redacted>". Expected: a URL such as http://localhost:4318`
    ],
    ["--upstream-timeout 0", `flag --upstream-timeout: "0". Expected: 1 to 290 seconds`],
    // Longer than Node's own patience.
    ["--upstream-timeout 300", `flag --upstream-timeout: "300". Expected: 1 to 290 seconds`],
    ["--upstream-organization x", `flag --upstream-organization: "x". Expected: ${aUuid}`],
    ["--allow-query-host x/33", `flag --allow-query-host: "x/33". Expected: ${allowed}`],
    ["--query-database SYSTEM", `flag --query-database: "SYSTEM". Expected: ${queryDatabase}`],
    ["--query-database acme=otel", `flag --query-database: "acme=otel". Expected: ${queryDatabase}`],
    [`--query-database ${organizationId}=`, `flag --query-database: "${organizationId}=". Expected: ${queryDatabase}`],
    ["--query-timeout 500ms", `flag --query-timeout: "500ms". Expected: a time of whole seconds, from 1s to 600s`],
    ["--query-timeout 11m", `flag --query-timeout: "11m". Expected: a time of whole seconds, from 1s to 600s`],
    ["--query-memory 1KiB", `flag --query-memory: "1KiB". Expected: ${bytes}`],
    ["--query-memory 512MB", `flag --query-memory: "512MB". Expected: ${bytes}`],
    ["--query-rows 0", `flag --query-rows: "0". Expected: a whole number of at least 1`],
    ["key list --organization x", `flag --organization: "x". Expected: ${aUuid}`],
    ["key disable x", `argument <key-id>: "x". Expected: ${aUuid}`],
    ["token revoke x", `argument <token-id>: "x". Expected: ${aUuid}`]
  ])("is told once, with what was expected: %s", ([line, expected]) =>
    Effect.gen(function* () {
      const { code, printed, said } = yield* refused(...line.split(" "))
      assert.deepStrictEqual([code, printed], [2, ""])
      assert.strictEqual(
        said,
        `headgate-server: Invalid value for ${expected}\nRun \`headgate-server${commandOf(line)} --help\` for its flags.\n`
      )
    })
  )
})

describe("a command that is unknown", () => {
  it.effect.each<readonly [line: string, said: string, suggested: string, parent: string]>([
    ["key creat --name x", 'Unknown subcommand "creat" for "headgate-server key"', "create", " key"],
    ["tokn create --name x", 'Unknown subcommand "tokn" for "headgate-server"', "token", ""]
  ])("is told first, whatever flags it has: %s", ([line, expected, suggested, parent]) =>
    Effect.gen(function* () {
      const { code, printed, said } = yield* refused(...line.split(" "))
      assert.deepStrictEqual([code, printed], [2, ""])
      assert.strictEqual(
        said,
        `headgate-server: ${expected}\n\n  Did you mean this?\n    ${suggested}\nRun \`headgate-server${parent} --help\` for its flags.\n`
      )
    })
  )

  it.effect("does not show the value of a flag that is unknown, which may be a secret", () =>
    Effect.gen(function* () {
      const { said } = yield* refused("--tokn", "hgt_s3cr3t", "key", "list")
      assert.include(said, "Unrecognized flag: --tokn")
      assert.notInclude(said, "s3cr3t")
    })
  )
})

describe("help and version", () => {
  it.effect("look as those of headgate: a command without a verb prints its help, the version has no v", () =>
    Effect.gen(function* () {
      const bare = yield* refused("key")
      assert.deepStrictEqual([bare.code, bare.said], [0, ""])
      assert.include(bare.printed, "headgate-server key <subcommand>")
      assert.match((yield* refused("--version")).printed, /\nheadgate-server 0$/)
    })
  )
})

describe("a terminal of 60 columns", () => {
  it.live("shows --help, and breaks no word", () => assertFits("--help"))
})

describe("the help of key create", () => {
  it.live("has the roles of headgate's", () =>
    Effect.gen(function* () {
      const roles = (help: string) => /^ROLES\n(?: {2}.*\n)+/m.exec(help)?.[0]
      const { stdout } = yield* operate("key", "create", "--help")
      assert.include(roles(stdout), "developer")
      assert.strictEqual(roles(stdout), roles((yield* headgate({}, "key", "create", "--help")).stdout))
    })
  )
})

const database = "postgres://user:the-password@127.0.0.1:1/shared"
const shared = `--database-url ${database}`
const warehouse = "--warehouse http://127.0.0.1"
const upstream = "--upstream https://api.example.com"
const organization = `--upstream-organization ${organizationId}`
const upstreamKey = "--upstream-key-id k --upstream-key-secret the-password"

describe("flags that contradict one another", () => {
  it.effect.each<readonly [line: string, said: string]>([
    ["--memory --data x", "--memory, --data and --database-url exclude one another"],
    ["key list --data x --database-url postgres://127.0.0.1:1/x", "--data and --database-url exclude one another"],
    ["--memory --tls-cert cert.pem", "--tls-cert and --tls-key go together"],
    ["--memory --host 0.0.0.0", "pass --tls-cert and --tls-key, or --insecure-http to accept it"],
    ["--memory --admin --host 0.0.0.0 --insecure-http", "--host 0.0.0.0 is not a loopback address"],
    ["--memory --admin --host :: --insecure-http", "--host :: is not a loopback address"],
    ["--memory --admin --host 192.0.2.1 --tls-cert x --tls-key x", "--admin lets callers in without credentials"],
    [`--database-url ${database} --admin`, "--admin-postgres"],
    ["--memory --admin-postgres", "--admin-postgres goes with --admin"],
    ["--memory --admin --host 0.0.0.0 --insecure-http", "pass --admin-token-file, or set HEADGATE_ADMIN_TOKEN"],
    ["--memory --admin-token-file no-token", "--admin-token-file goes with --admin: pass both"],
    [`${upstream} ${organization} ${upstreamKey} --test-credentials`, "--test-credentials lets everybody in"],
    ["--memory --public-url http://console.example.com", "on which sessions would travel in clear"],
    [`--memory ${upstream} ${organization} ${upstreamKey} --public-url https://x`, "--public-url is for the console"],
    ["--memory --allow-source localhost", "--allow-source goes with --warehouse"],
    ["--memory --trust-storage localhost", "--trust-storage goes with --warehouse"],
    ["--memory --simulate-unsupported", "--simulate-unsupported goes with --warehouse"],
    ["--memory --insecure-warehouse", "--insecure-warehouse goes with --warehouse"],
    ["--memory --warehouse http://127.0.0.1 --warehouses x", "--warehouse and --warehouses exclude one another"],
    ["--memory --host 0.0.0.0 --insecure-http --warehouse http://127.0.0.1", "pass --allow-source"],
    [`${upstream} ${upstreamKey} ${organization} --warehouse http://127.0.0.1`, "a gateway stores no pipes"],
    ["--memory --charts", "--charts goes with --warehouse"],
    ...[
      "--query-database otel",
      "--allow-query-host db.example.com",
      "--allow-raw-sql",
      "--query-timeout 20s",
      "--query-memory 1GiB",
      "--query-rows 1000"
    ].flatMap((flag) => {
      const [name = ""] = flag.split(" ")
      return [
        [`--memory ${warehouse} ${flag}`, `${name} goes with --charts, or with HEADGATE_QUERY_USER`],
        [`${upstream} ${upstreamKey} ${organization} ${flag}`, `leave out ${name}, or --upstream`],
        [
          `${shared} --role mover ${warehouse} ${flag}`,
          `a server with --role mover serves no charts: leave out ${name}`
        ]
      ] as const
    }),
    [`${upstream} ${upstreamKey} ${organization} --charts`, "leave out --charts, or --upstream"],
    [`${shared} --role mover ${warehouse} --charts`, "a server with --role mover serves no charts: leave out --charts"],
    [`--memory ${warehouse} --charts --allow-raw-sql`, "--allow-raw-sql goes with HEADGATE_QUERY_USER"],
    ["--memory --warehouse embedded:x --charts --allow-raw-sql", "so it runs no SQL of callers"],
    [`${upstream} ${upstreamKey}`, "--upstream wants --upstream-organization"],
    [`${upstream} ${organization}`, "--upstream wants an API key of its own"],
    [`${upstream} ${organization} --upstream-key-id k`, "--upstream wants an API key of its own"],
    [`${upstream} ${organization} --upstream-credentials no.json --upstream-key-id k`, "stands for --upstream-key-id"],
    [`--upstream nowhere ${organization} ${upstreamKey}`, "--upstream: baseUrl: Expected a URL"],
    [`${upstream} ${organization} ${upstreamKey} --unknown-fields keep`, "a gateway passes unknown fields on"],
    [`--upstream http://api.example.com ${organization} ${upstreamKey}`, "--upstream-insecure-http"],
    ...[
      "key-id k",
      "key-secret the-password",
      "token the-password",
      "credentials no.json",
      `organization ${organizationId}`,
      "observability https://api.example.com",
      "dialect clickhouse",
      "timeout 25",
      "insecure-http"
    ].map((flag) => [`--upstream-${flag}`, `--upstream-${flag.split(" ")[0]} goes with --upstream: pass both`] as const)
  ])("end with 2: %s", ([line, expected]) =>
    Effect.gen(function* () {
      // A line that is not about stores says which one, so that nothing but what is wrong stands in the way.
      const store = /--memory|--data|--database-url/.test(line) ? [] : ["--memory"]
      const place = line.startsWith("key") ? [] : [...store, "--port", "0"]
      const { code, printed, said } = yield* refused(...line.split(" "), ...place)
      assert.strictEqual(code, 2)
      assert.include(said, expected)
      assert.strictEqual(said.split("\n").length, 2)
      assert.strictEqual(printed, "")
      assert.notInclude(said, "the-password")
      // Nothing is made that nobody can use.
      assert.isFalse(existsSync("x"))
    })
  )

  it.effect("end with 2 in the environment, too", () =>
    Effect.gen(function* () {
      const { code, said } = yield* refusedIn({ HEADGATE_DATABASE_URL: database }, "--admin", "--port", "0")
      assert.strictEqual(code, 2)
      assert.include(said, "--admin-postgres")
      assert.notInclude(said, "the-password")
    })
  )

  it.effect.each<readonly [line: string, environment: Record<string, string>, said: string]>([
    [warehouse, { HEADGATE_QUERY_USER: "reader" }, "HEADGATE_QUERY_USER and HEADGATE_QUERY_PASSWORD go together"],
    [warehouse, { HEADGATE_QUERY_PASSWORD: "the-password" }, "HEADGATE_QUERY_USER and HEADGATE_QUERY_PASSWORD go"],
    [
      "--warehouse embedded:x --charts",
      { HEADGATE_QUERY_USER: "reader", HEADGATE_QUERY_PASSWORD: "the-password" },
      "unset HEADGATE_QUERY_USER"
    ]
  ])("end with 2 with a user of queries that has no use: %s %o", ([line, environment, expected]) =>
    Effect.gen(function* () {
      const { code, said } = yield* refusedIn(environment, "--memory", "--port", "0", ...line.split(" "))
      assert.strictEqual(code, 2)
      assert.include(said, expected)
      assert.notInclude(said, "the-password")
    })
  )
})

describe("an admin token", () => {
  const tooShort = "1234567890123456789012345678901"

  it.effect.each<readonly [what: string, token: string]>([
    ["of 31 characters", tooShort],
    ["with a space in it", `${tooShort} 12345`],
    ["of several lines", `${tooShort}12\n${tooShort}12\n`],
    ["that no header can carry", `${tooShort}ä1234`]
  ])("%s ends the start with 2, and is not shown", ([, token]) =>
    Effect.gen(function* () {
      const file = join(yield* temporaryDirectory, "token")
      writeFileSync(file, token)
      const line = ["--memory", "--port", "0", "--admin"]
      for (const [source, { code, said }] of [
        ["HEADGATE_ADMIN_TOKEN", yield* refusedIn({ HEADGATE_ADMIN_TOKEN: token }, ...line)],
        ["--admin-token-file", yield* refused(...line, "--admin-token-file", file)]
      ] as const) {
        assert.strictEqual(code, 2)
        assert.include(said, `headgate-server: ${source}: Expected a token of 32 to 512 visible ASCII characters`)
        assert.notInclude(said, tooShort)
      }
    }).pipe(Effect.scoped)
  )

  it.effect("in the place of its file is not shown, and opens no other address", () =>
    Effect.gen(function* () {
      const token = `${tooShort}123`
      const line = "--memory --port 0 --host 0.0.0.0 --insecure-http --admin --admin-token-file"
      const { code, said } = yield* refusedIn({ HEADGATE_ADMIN_TOKEN: token }, ...line.split(" "), token)
      assert.strictEqual(code, 1)
      assert.strictEqual(said, "headgate-server: --admin-token-file: ENOENT: name a file that holds the token\n")
    })
  )
})

describe("what is not as the command line says", () => {
  it.effect("ends with 1: it may be the next time", () =>
    Effect.gen(function* () {
      const nowhere = join(yield* temporaryDirectory, "nowhere")
      for (const [path, why] of [
        [nowhere, "there is no such file"],
        [tmpdir(), "it is a directory"]
      ]) {
        const gateway = `--memory --port 0 ${upstream} ${organization} --upstream-credentials ${path}`
        const unread = yield* refused(...gateway.split(" "))
        assert.strictEqual(unread.code, 1)
        assert.include(unread.said, `headgate-server: --upstream-credentials ${path}: ${why}\n`)
        const unimported = yield* refused(..."--memory --port 0 --import".split(" "), `${path}`)
        assert.strictEqual(unimported.code, 1)
        assert.include(unimported.said, `headgate-server: --import ${path}: ${why}\n`)
        assert.notInclude(unimported.said, "New credentials")
      }
      const store = yield* refused("key", "list", "--data", nowhere)
      assert.strictEqual(store.code, 1)
      assert.include(store.said, `there is no store in ${nowhere}: check --data`)
    }).pipe(Effect.scoped)
  )
})

describe("HEADGATE_DATA", () => {
  it.effect("names the directory of the store, and gives way to flags and to a database of the environment", () =>
    Effect.gen(function* () {
      const said = (environment: Record<string, string>, ...flags: ReadonlyArray<string>) =>
        Effect.map(refusedIn({ HEADGATE_DATA: "there", ...environment }, "key", "list", ...flags), ({ said }) => said)
      assert.include(yield* said({}), "there is no store in there: check --data")
      assert.include(yield* said({}, "--data", "here"), "there is no store in here: check --data")
      const url = "postgres://127.0.0.1:1/x"
      const environment = { HEADGATE_DATABASE_URL: url, HEADGATE_SEALING_KEY: "" }
      assert.include(yield* said(environment), "Postgres wants --sealing-key-file")
      assert.include(yield* said({ HEADGATE_SEALING_KEY: "" }, "--database-url", url), "Postgres wants")
    })
  )
})
