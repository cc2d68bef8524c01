import { randomInt } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { env } from "node:process"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { headgate, headgateProcess } from "./headgate.ts"
import { type LocalServer, startLocalServer } from "./localServer.ts"
import { dashboard, kafkaPipe, key, postgresPipe, resourceDirectory } from "./resourceDirectory.ts"

// With HEADGATE_EACH_STOPPED=1 a process ends at every request and at every step of its files. Without it, at one in five, from a
// random one on.
const every = env["HEADGATE_EACH_STOPPED"] === "1" ? 1 : 5
const first = randomInt(1, every + 1)

/** When the process ends: as its request arrives, before the server has it; or when the server has answered it. */
const moments = ["before", "after"] as const
type Moment = (typeof moments)[number]

let server: LocalServer
const files = resourceDirectory()
let count = 0
let end = (_count: number, _moment: Moment): boolean => false

/** Stands between the process and the server, and ends the process at a request. */
const proxy = createServer((received: IncomingMessage, response: ServerResponse) => {
  const number = ++count
  if (end(number, "before")) return void received.socket.destroy()
  const forwarded = request(new URL(received.url ?? "/", server.url), {
    method: received.method ?? "GET",
    headers: { ...received.headers, host: new URL(server.url).host }
  })
  forwarded.on("response", (answer) => {
    const chunks: Array<Buffer> = []
    answer.on("data", (chunk: Buffer) => chunks.push(chunk))
    answer.on("end", () => {
      if (end(number, "after")) return void received.socket.destroy()
      response.writeHead(answer.statusCode ?? 500, answer.headers).end(Buffer.concat(chunks))
    })
  })
  received.pipe(forwarded)
})
beforeAll(async () => {
  server = await startLocalServer()
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
})
afterAll(async () => {
  files.clear({ again: false })
  proxy.closeAllConnections()
  proxy.close()
  await server.stop()
})

const endAtFileStep = new URL("endAtFileStep.mjs", import.meta.url).href

const args = ["apply", "-f", files.directory, "--secrets-dir", files.secrets, "--yes"]
const withDeletes = [...args, "--prune", "--replace", "--yes-prune"]
const environment = () => ({ ...server.env, ORDERS_PASSWORD: "s3cr3t" })

/** Applies in a process that a signal ends at a request; tells how it ended, and whether the request was made. */
const applyUntil = async (command: ReadonlyArray<string>, at: number, moment: Moment, signal: NodeJS.Signals) => {
  let kill = (_signal: NodeJS.Signals): void => {}
  let isReached = false
  count = 0
  end = (number, now) => {
    if (number !== at || now !== moment) return false
    isReached = true
    kill(signal)
    return true
  }
  const { port } = proxy.address() as AddressInfo
  const run = await headgateProcess(command, {
    env: { ...environment(), HEADGATE_URL: `http://127.0.0.1:${port}` },
    onStart: (send) => (kill = send)
  })
  return { run, isReached }
}

const apply = async (command: ReadonlyArray<string>) => {
  const { exitCode, stderr } = await headgate(command, { env: environment() })
  assert.strictEqual(exitCode, 0, stderr)
}

const list = async (noun: string) =>
  JSON.parse((await headgate([noun, "list", "--json"], { env: environment() })).stdout)

const withoutIds = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value, (name, field) =>
      ["id", "keySuffix", "createdAt", "updatedAt", "usedAt", "state"].includes(name) ? undefined : field
    )
  )

/** What the service and the lock file hold, without what differs from run to run. */
const outcome = async () => {
  const nouns = await Promise.all(["dashboard", "pipe", "key"].map(list))
  const ids = nouns.flat().map(({ id }: { readonly id: string }) => id)
  const lock = files.lock()
  for (const { creation, id } of lock) {
    assert.include(ids, id)
    assert.isUndefined(creation)
  }
  const byName = (one: { readonly name: string }, other: { readonly name: string }) => (one.name < other.name ? -1 : 1)
  return {
    resources: withoutIds(nouns.map((resources) => resources.toSorted(byName))),
    lock: withoutIds(lock).toSorted(byName),
    files: readdirSync(files.directory).toSorted()
  }
}

const writeAll = () => {
  files.clear({ again: true })
  files.write("errors.dashboard.json", dashboard)
  files.write("orders.pipe.yaml", `${kafkaPipe}stopped: true\n`)
  files.write("shop.pipe.yaml", postgresPipe("orders"))
  files.write("shop.secret", "s3cr3t")
  files.write("ci.key.yaml", key.replace("203.0.113.0/24", "127.0.0.1"))
  files.write("old.dashboard.json", JSON.stringify({ name: "Old" }))
}

const change = () => {
  files.edit("errors.dashboard.json", "Errors", "Failures")
  files.edit("orders.pipe.yaml", "table: orders", "table: orders2")
  files.write("shop.pipe.yaml", postgresPipe("items"))
  files.edit("ci.key.yaml", "[developer]", "[developer, query_endpoints]")
  files.remove("old.dashboard.json")
}

const cases = {
  "creates everything": { prepare: () => Promise.resolve(writeAll()), command: args },
  "changes, replaces and prunes": {
    prepare: async () => {
      writeAll()
      await apply(args)
      change()
    },
    command: withDeletes
  }
}

/** Holds that the next apply ends in the same state as one that nothing disturbed, and that the one after it changes nothing. */
const isCompleted = async (command: ReadonlyArray<string>, whole: unknown, when: string) => {
  await apply(command)
  assert.deepStrictEqual(await outcome(), whole, when)
  const again = await headgate(["diff", "-f", files.directory, "--prune"], { env: environment() })
  assert.strictEqual(again.exitCode, 0, again.stdout)
  const { keyId, keySecret } = JSON.parse(readFileSync(join(files.secrets, "ci.json"), "utf8"))
  const login = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`
  const { status } = await fetch(`${server.url}/v1/whoami`, { headers: { authorization: login } })
  assert.strictEqual(status, 200)
}

describe.each(Object.entries(cases))("an apply that %s", (_, { command, prepare }) => {
  it.each(moments)(
    "and is killed %s a request is completed by the next one, with nothing twice",
    async (moment) => {
      await server.reset()
      await prepare()
      await apply(command)
      const whole = await outcome()
      let at = first
      for (let isReached = true; isReached; at += every) {
        await server.reset()
        await prepare()
        const killed = await applyUntil(command, at, moment, "SIGKILL")
        isReached = killed.isReached
        assert.strictEqual(killed.run.exitCode, isReached ? null : 0, killed.run.stderr)
        await isCompleted(command, whole, `killed at request ${at}`)
      }
      // Every list, and every change.
      assert.isAbove(at, 8)
    },
    600_000
  )

  it("and is killed between two steps of its files is completed by the next one, with nothing twice", async () => {
    await server.reset()
    await prepare()
    await apply(command)
    const whole = await outcome()
    // The first step is 2: before the first file is created.
    let at = 1 + first
    for (let isReached = true; isReached; at += every) {
      await server.reset()
      await prepare()
      const steps = { END_AT_STEP: String(at), NODE_OPTIONS: `--import ${endAtFileStep}` }
      const { exitCode, stderr } = await headgateProcess(command, { env: { ...environment(), ...steps } })
      isReached = exitCode !== 0
      assert.strictEqual(exitCode, isReached ? null : 0, stderr)
      await isCompleted(command, whole, `killed at step ${at} of the files`)
    }
    // The lock file before and after each creation, and the credentials of the key.
    assert.isAbove(at, 20)
  }, 600_000)
})

it.each(moments)(
  "Ctrl-C %s a creation says what may have happened, and leaves no half-written file",
  async (moment) => {
    await server.reset()
    writeAll()
    // The first three requests are the lists.
    const { run } = await applyUntil(args, 4, moment, "SIGINT")
    assert.strictEqual(run.exitCode, 130)
    assert.include(run.stderr, `Interrupted while creating dashboard "Errors". 0 of 5 changes were made.`)
    assert.include(run.stderr, "the dashboard may have been created: see 'headgate dashboard list'")
    assert.deepStrictEqual(
      files.names().filter((name) => name.endsWith(".tmp")),
      []
    )
    assert.isTrue(existsSync(join(files.directory, "headgate.lock.json")))
    await apply(args)
    assert.lengthOf(await list("dashboard"), 2)
  }
)
