import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, expect, it } from "vitest"
import { type LocalServer, startLocalServer } from "./localServer.ts"

const bin = join(import.meta.dirname, "../bin/headgate.mjs")
const isInstalled = spawnSync("tmux", ["-V"]).status === 0
const isRequired = process.env["HEADGATE_REQUIRE_SHELLS"] === "1"
if (!isInstalled && !isRequired) console.error("\nSKIPPED: tmux is not installed (apt-get install tmux)\n")

const pipe = {
  name: "payments",
  source: {
    kafka: {
      type: "confluent",
      format: "JSONEachRow",
      brokers: "broker.example.com:9092",
      topics: "payments",
      authentication: "PLAIN",
      credentials: { username: "headgate", password: "password-of-the-broker" }
    }
  },
  destination: {
    database: "analytics",
    table: "payments",
    managedTable: true,
    columns: [{ name: "id", type: "UInt64" }]
  }
}

/** A shell in a terminal of so many columns, in a directory with `payments.json`. */
const terminal = (columns: number) => {
  // Of the same length everywhere: the transcript shows where lines break.
  const directory = mkdtempSync("/tmp/headgate-")
  const programs = join(directory, "bin")
  mkdirSync(programs)
  writeFileSync(join(programs, "headgate"), `#!/bin/sh\nexec ${process.execPath} ${bin} "$@"\n`)
  chmodSync(join(programs, "headgate"), 0o755)
  writeFileSync(join(directory, "payments.json"), JSON.stringify(pipe))
  writeFileSync(join(directory, "rc"), "PS1='$ '\nunset HISTFILE\n")
  const env = { PATH: `${programs}:/usr/bin:/bin`, HOME: directory, TERM: "xterm", LANG: "C.UTF-8" }
  const tmux = (...args: ReadonlyArray<string>): string =>
    execFileSync("tmux", ["-S", join(directory, "tmux"), "-f", "/dev/null", ...args], { env, encoding: "utf8" })
  const size = ["-x", String(columns), "-y", "50"]
  tmux("new-session", "-d", ...size, "-s", "s", "-c", directory, "bash --noprofile --rcfile rc")

  /** What is on the screen and above it. `joined`: what the terminal broke because it was too wide, as one line. */
  const screen = (joined = false): ReadonlyArray<string> =>
    tmux("capture-pane", "-p", ...(joined ? ["-J"] : []), "-t", "s", "-S", "-")
      .trimEnd()
      .split("\n")
      .map((line) => line.trimEnd())
  const isAt = async (expected: RegExp) => {
    for (let attempt = 0; attempt < 600; attempt++) {
      if (expected.test(screen(true).at(-1) ?? "")) return
      await sleep(50)
    }
    assert.fail(`the last line is not ${expected}:\n${screen().join("\n")}`)
  }
  const prompt = /^\$$/
  const press = (key: string): void => void tmux("send-keys", "-t", "s", key)
  const type = (text: string): void => void tmux("send-keys", "-t", "s", "-l", "--", text)
  return {
    screen,
    type,
    press,
    isAt,
    /** Types a command, and waits until a line matches: by default the prompt, after its end. */
    run: async (command: string, until = prompt) => {
      await isAt(prompt)
      type(command)
      await isAt(new RegExp(`${command.slice(-10).replaceAll(/[$^.*+?()[\]{}|\\]/g, "\\$&")}$`))
      press("Enter")
      await isAt(until)
    },
    /** Answers a question, and waits for what comes then. */
    answer: async (text: string, then: RegExp = prompt) => {
      type(text)
      press("Enter")
      await isAt(then)
    },
    close: () => {
      tmux("kill-server")
      rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
    /** The transcript, with a word of the same length for what differs in each run. */
    transcript: (): string =>
      screen()
        .join("\n")
        .replaceAll(directory.slice("/tmp/headgate-".length), "XXXXXX")
        .replaceAll(
          /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g,
          "<id of 36 characters                >"
        )
        .replaceAll(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "<time of 24 characters >")
        .replaceAll(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "<time of 20 chars.  >")
        .replaceAll(/127\.0\.0\.1:\d{5}/g, "127.0.0.1:<port>")
        .replaceAll(/((?:Key ID .* … |keyId +))\w{20}$/gm, "$1<id of 20 chars.   >")
        .replaceAll(/(keySuffix +)\w{4}$/gm, "$1<id>")
        // How much of a status line fits, depends on the digits of its seconds.
        .replaceAll(/is Prov[^(]*\(\d+s\)/g, "is Prov… (<n>s)")
        .replaceAll(/\(\d+s\)/g, "(<n>s)")
  }
}

describe.skipIf(!isInstalled && !isRequired)("the first session of a newcomer", () => {
  let server: LocalServer
  beforeAll(async () => {
    server = await startLocalServer()
  })
  afterAll(() => server.stop())

  it.each([60, 140])(
    "reads well in %i columns",
    async (columns) => {
      await server.reset()
      const { HEADGATE_KEY_ID: keyId = "", HEADGATE_KEY_SECRET: keySecret = "", HEADGATE_URL: url = "" } = server.env
      const shell = terminal(columns)
      try {
        await shell.run("headgate")
        await shell.run("headgate login", /URL of the service/)
        await shell.answer(url, /Key ID/)
        await shell.answer(keyId, /Key secret/)
        await shell.answer(keySecret, /Token/)
        await shell.answer("")
        await shell.run("headgate whoami")
        await shell.run("headgate pipe list")
        await shell.run("headgate pipe create --file payments.json --wait")
        await shell.run("headgate pipe watch payments", /Running/)
        shell.press("C-c")
        await shell.run("headgate export --dir infra")
        await shell.run("sed -i 's/topics: pay.*/topics: paid/' infra/payments.*")
        await shell.run("headgate diff -f infra; echo exit code $?")
        await shell.run("headgate apply -f infra", /\[y\/N\]/)
        await shell.answer("y")
        await shell.run("headgate apply -f infra")
        await shell.run('headgate key rotate "first admin key"', /\[y\/N\]/)
        await shell.answer("y")
        await shell.run("headgate whoami")

        // The terminal broke nothing: each line that it would have to break is one that was typed.
        const broken = shell.screen(true).filter((line) => line.length > columns && !line.startsWith("$ "))
        assert.deepStrictEqual(broken, [])
        const shown = shell.screen(true).join("\n")
        for (const secret of [keySecret, "password-of-the-broker", "hgs_"]) assert.notInclude(shown, secret)
        await expect(shell.transcript()).toMatchFileSnapshot(
          join(import.meta.dirname, `transcripts/newcomer-${columns}.txt`)
        )
      } finally {
        shell.close()
      }
    },
    180_000
  )
})
