import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { echoModes, isFailure, startEcho } from "./echo.ts"
import type { Mark } from "./Marks.ts"
import { endMarked, type MarkedServer, startMarked } from "./markedServer.ts"
import { type Invocation, runAndKeep } from "./run.ts"
import { severalAtOnce } from "./severalAtOnce.ts"
import type { Stage } from "./Stage.ts"
import { ids } from "./world.ts"

/** Every verb of the command line. */
const commands: ReadonlyArray<ReadonlyArray<string>> = [
  ["pipe", "get", ids.pipe],
  ["pipe", "delete", ids.unknown, "--yes"],
  ["key", "create", "--name", "x", "--role", "admin"],
  ["dashboard", "create", "--name", "x"],
  ["dashboard", "list"]
]

interface Credentials {
  readonly keySecret: string
  readonly token: string
}

const environment = (url: string, { keySecret, token }: Credentials, organization = ids.organization) => ({
  HEADGATE_URL: url,
  HEADGATE_ORGANIZATION: organization,
  HEADGATE_SERVICE: ids.service,
  HEADGATE_KEY_ID: "key-of-admin",
  HEADGATE_KEY_SECRET: keySecret,
  HEADGATE_TOKEN: token
})

const verbose = ["--log-level", "all", "--max-retries", "0"]

type Run = readonly [name: string, invocation: Invocation]

const goodRuns = (stage: Stage, { server, world }: MarkedServer): ReadonlyArray<Run> => {
  const env = environment(server.url, { keySecret: world.keys.admin.secret.value, token: world.token.value })
  const minted = (printed: string): ReadonlyArray<Mark> => {
    const secret = /keySecret"?:? +"?(\w+)/.exec(printed)?.[1] ?? ""
    return [stage.marks.know("secret of a key that `key create` shows", secret)]
  }
  const run = (name: string, args: ReadonlyArray<string>, shows?: Invocation["shows"]): Run => [
    name,
    { args: [...args, ...verbose], env, succeeds: true, ...(shows === undefined ? {} : { shows }) }
  ]
  return [
    run("pipe get", ["pipe", "get", ids.pipe]),
    run("pipe get --json", ["pipe", "get", ids.pipe, "--json"], () => [world.connectionString]),
    ...[[], ["--json"], ["--local-secret"], ["--local-secret", "--json"]].map((flags) =>
      run(["key create", ...flags].join(" "), ["key", "create", "--name", "x", "--role", "admin", ...flags], minted)
    ),
    run("dashboard create", ["dashboard", "create", "--name", "x"]),
    run("dashboard list", ["dashboard", "list", "--json"])
  ]
}

/** Every verb, refused in each way or not answered, its credentials in the environment, in flags or on stdin. */
const failingRuns = ({ marks }: Stage, { server, world }: MarkedServer, echo: string): ReadonlyArray<Run> => {
  const right = { keySecret: world.keys.admin.secret.value, token: world.token.value }
  const planted = (name: string) => ({
    keySecret: marks.plant(`key secret, ${name}`).value,
    token: marks.plant(`token, ${name}`).value
  })
  return commands.flatMap((command) => {
    const verb = command.slice(0, 2).join(" ")
    const ofKeys = !verb.startsWith("dashboard")
    const flag = ofKeys ? "key-secret" : "token"
    const guess = planted(`${verb}, credentials that are wrong`)
    const typed = ofKeys ? guess.keySecret : guess.token
    const { HEADGATE_KEY_SECRET: _secret, HEADGATE_TOKEN: _token, ...withoutSecrets } = environment(server.url, guess)
    const inUrl = marks.plant(`${verb}, password in the URL`).value
    return [
      [`${verb}, wrong credentials`, { args: [...command, ...verbose], env: environment(server.url, guess) }],
      [`${verb}, as flags`, { args: [...command, `--${flag}`, typed, ...verbose], env: withoutSecrets }],
      [
        `${verb}, on stdin`,
        { args: [...command, `--${flag}`, "-", "--json", ...verbose], env: withoutSecrets, stdin: `${typed}\n` }
      ],
      ...(ofKeys && verb !== "pipe delete"
        ? [
            [
              `${verb}, another's`,
              { args: [...command, ...verbose], env: environment(server.url, right, ids.other) }
            ] as const
          ]
        : []),
      [`${verb}, nobody there`, { args: [...command, ...verbose], env: environment("http://127.0.0.1:1", right) }],
      [
        `${verb}, nobody there, JSON`,
        { args: [...command, "--json", ...verbose], env: environment("http://127.0.0.1:1", right) }
      ],
      [
        `${verb}, no such host`,
        { args: [...command, ...verbose], env: environment("https://headgate.invalid", right) }
      ],
      [
        `${verb}, password in the URL`,
        { args: [...command, ...verbose], env: environment(`https://u:${inUrl}@127.0.0.1:1`, right) }
      ],
      [
        `${verb}, password in a bad URL`,
        { args: [...command, ...verbose], env: environment(`https://u:${inUrl}@127.0.0.1:port`, right) }
      ],
      [`${verb}, in clear`, { args: [...command, ...verbose], env: environment("http://192.0.2.1", right) }],
      ...echoModes
        .filter((mode) => isFailure(verb, mode))
        .map((mode, index): Run => [
          `${verb}, ${mode}`,
          {
            args: [...command, ...(index % 2 === 0 ? ["--json"] : []), "--timeout", "2s", ...verbose],
            env: environment(`${echo}/${mode}`, right)
          }
        ])
    ] satisfies ReadonlyArray<Run>
  })
}

/** Command lines that are wrong beside a secret, or whose secret has gone astray. */
const wrongRuns = ({ directory, marks }: Stage, { server, world }: MarkedServer): ReadonlyArray<Run> => {
  const env = environment(server.url, { keySecret: world.keys.admin.secret.value, token: world.token.value })
  const get = ["pipe", "get", ids.pipe]
  const lines: Readonly<Record<string, (secret: string) => ReadonlyArray<string>>> = {
    "a flag misspelt": (secret) => [...get, "--key-secrt", secret],
    "a flag misspelt, with =": (secret) => [...get, `--key-secrt=${secret}`],
    "a flag misspelt, before the verb": (secret) => ["--key-secrt", secret, ...get],
    "a flag with one dash": (secret) => [...get, "-key-secret", secret],
    "a flag nobody knows beside it": (secret) => [...get, "--key-secret", secret, "--bogus"],
    "a bad id beside it": (secret) => ["pipe", "get", "no-uuid", "--key-secret", secret],
    "a bad timeout beside it": (secret) => [...get, "--token", secret, "--timeout", "soon"],
    "a flag twice": (secret) => [...get, "--key-secret", secret, "--key-secret", `${secret}x`],
    "a secret where none is taken": (secret) => ["key", "create", "--name", "x", "--role", "admin", "--secret", secret],
    "no verb": (secret) => ["pipe", "--key-secret", secret, "bogus"],
    "a setting missing": (secret) => ["dashboard", "list", "--key-secret", secret, "--token", "", "--url", "bogus"]
  }
  const home = directory()
  const inFile = (name: string, content: (secret: string) => string): Run => {
    const file = join(home, `${name}.json`)
    writeFileSync(file, content(marks.plant(`dashboard file: ${name}`).value))
    return [`dashboard file: ${name}`, { args: ["dashboard", "create", "--file", file, ...verbose], env }]
  }
  return [
    ...Object.entries(lines).flatMap(([name, line]): ReadonlyArray<Run> => {
      const args = line(marks.plant(`command line: ${name}`).value)
      return [
        [`command line: ${name}`, { args: [...args, ...verbose], env }],
        [`command line: ${name}, JSON`, { args: [...args, "--json", ...verbose], env }]
      ]
    }),
    inFile("a field that is wrong", (secret) => JSON.stringify({ name: "x", tags: [secret], tiles: [{ x: secret }] })),
    inFile("another document", (secret) => JSON.stringify(secret))
  ]
}

/** The command line, through every verb and every failure. */
export const commandLine = async (stage: Stage): Promise<void> => {
  const marked = await startMarked(stage, "server of the command line", "--login-limit", "off", "--log-level", "all")
  const echo = await startEcho()
  const runs = [...goodRuns(stage, marked), ...failingRuns(stage, marked, echo.url), ...wrongRuns(stage, marked)]
  await severalAtOnce(
    stage,
    runs.map(
      ([name, invocation]) =>
        () =>
          runAndKeep(stage, `headgate ${name}`, stage.cli, invocation)
    )
  )
  echo.close()
  await endMarked(stage, marked)
}
