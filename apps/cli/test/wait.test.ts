import { assert, describe, it } from "vitest"
import { enveloped, errorReply, type Reply, service } from "./Service.ts"
import { everything, headgate, headgateProcess, organization, pipeId, serviceId } from "./headgate.ts"

const api = service()
const postgres = { postgres: { host: "db.example.com" } }
const pipe = (state: string, source: object = { kafka: {} }) =>
  enveloped({ id: pipeId, serviceId, name: "orders", state, source })

/** Answers each request with the next reply, and then with the last one again. */
const respondInOrder = (...replies: ReadonlyArray<Reply>) => {
  let count = 0
  api.respondWith(() => replies[Math.min(count++, replies.length - 1)])
}

const speed = 20
const run = (...args: ReadonlyArray<string>) => headgate(args, { env: everything(api.url), speed })
const stateOf = (stdout: string): unknown => JSON.parse(stdout).state
const reads = () => api.received.filter(({ method, path }) => method === "GET" && !path.endsWith("/status")).length

describe("headgate pipe wait", () => {
  it("reads until the pipe is in the state, and shows progress with the elapsed time on stderr", async () => {
    respondInOrder(pipe("Setup", postgres), pipe("Running", postgres))
    const { exitCode, stderr, stdout } = await run("pipe", "wait", pipeId, "--for", "Running")
    assert.deepStrictEqual([exitCode, reads()], [0, 2])
    assert.match(stdout, /^state +Running$/m)
    assert.strictEqual(stderr, `Pipe ${pipeId} is Setup, waiting for Running (0s)\n`)
  })

  it("says why a pipe is Degraded, and why it has failed, where the service knows", async () => {
    const status = (message: string) => enveloped({ state: "", simulated: false, message })
    respondInOrder(pipe("Degraded"), status("no broker\u001b answers"), pipe("Failed"), status("gave up"))
    const { exitCode, stderr } = await run("pipe", "wait", pipeId, "--for", "Running")
    assert.strictEqual(exitCode, 9)
    assert.match(stderr, /is Degraded \(no broker.* answers\), waiting for Running/)
    assert.notInclude(stderr, "\u001b answers")
    assert.include(stderr, "is Failed and cannot become Running without another command: gave up")
    respondInOrder(pipe("Failed"), errorReply(404, "NOT_FOUND: no such path"))
    const silent = await run("pipe", "wait", pipeId, "--for", "Running")
    assert.strictEqual(silent.exitCode, 9)
    assert.include(silent.stderr, "is Failed and cannot become Running without another command.")
  })

  it("shows no progress with --json", async () => {
    respondInOrder(pipe("Provisioning"), pipe("Running"))
    const { exitCode, stderr, stdout } = await run("pipe", "wait", pipeId, "--for", "Running", "--json")
    assert.deepStrictEqual([exitCode, stderr, stateOf(stdout)], [0, "", "Running"])
  })

  it("ends at once in one of several states", async () => {
    respondInOrder(pipe("Failed"))
    const { exitCode } = await run("pipe", "wait", pipeId, "--for", "Completed", "--for", "Failed")
    assert.deepStrictEqual([exitCode, reads()], [0, 1])
  })

  it("ends with 8 when the time is over, and names the last state", async () => {
    respondInOrder(pipe("Provisioning"))
    const { exitCode, stderr, stdout } = await headgate(
      ["pipe", "wait", pipeId, "--for", "Running", "--wait-timeout", "1500ms"],
      { env: everything(api.url) }
    )
    assert.deepStrictEqual([exitCode, stdout], [8, ""])
    assert.include(stderr, `Pipe ${pipeId} is still Provisioning after 1s 500ms: waited for Running.`)
    assert.include(stderr, "--wait-timeout")
  })

  it.each([
    ["Failed", "Running"],
    ["Stopped", "Running"],
    ["Completed", "Running"],
    ["Running", "Stopped"]
  ])("ends with 9 at once if it is %s and waits for %s", async (state, awaited) => {
    respondInOrder(pipe(state))
    const { exitCode, stderr, stdout } = await run("pipe", "wait", pipeId, "--for", awaited, "--json")
    assert.deepStrictEqual([exitCode, stdout, reads()], [9, "", 1])
    const { error } = JSON.parse(stderr)
    assert.strictEqual(error.tag, "StateUnreachable")
    assert.include(error.message, `is ${state} and cannot become ${awaited}`)
  })

  it("ends with 9 if the pipe fails or is deleted while it waits, and with 5 if there was none", async () => {
    respondInOrder(pipe("Provisioning"), pipe("Failed"))
    assert.strictEqual((await run("pipe", "wait", pipeId, "--for", "Running")).exitCode, 9)
    const gone = errorReply(404, "NOT_FOUND: no such pipe")
    respondInOrder(pipe("Provisioning"), gone)
    const deleted = await run("pipe", "wait", pipeId, "--for", "Running")
    assert.strictEqual(deleted.exitCode, 9)
    assert.include(deleted.stderr, "was deleted")
    respondInOrder(gone)
    assert.strictEqual((await run("pipe", "wait", pipeId, "--for", "Running")).exitCode, 5)
  })

  it("goes on after a temporary failure, as late as Retry-After says", async () => {
    const limited = { ...errorReply(429, "TOO_MANY_REQUESTS: slow down"), headers: { "retry-after": "3" } } as Reply
    respondInOrder(pipe("Provisioning"), limited, pipe("Running"))
    const before = performance.now()
    const { exitCode } = await run("pipe", "wait", pipeId, "--for", "Running", "--max-retries", "0")
    assert.deepStrictEqual([exitCode, reads()], [0, 3])
    // 1 second before the failure, 3 after it; 2 would be the pause of the CLI itself.
    assert.isAtLeast((performance.now() - before) * speed, 3900)
  })

  it("fails at once for what will not pass", async () => {
    respondInOrder(pipe("Provisioning"), errorReply(401, "UNAUTHORIZED: no"))
    assert.strictEqual((await run("pipe", "wait", pipeId, "--for", "Running")).exitCode, 4)
  })

  it("refuses an unknown state and a wrong time and sends nothing", async () => {
    for (const flags of [["--for", "running"], ["--for", "Running", "--wait-timeout", "soon"], []]) {
      assert.strictEqual((await run("pipe", "wait", pipeId, ...flags)).exitCode, 2)
    }
    assert.lengthOf(api.received, 0)
  })
})

describe("--wait", () => {
  it.each<[string, ReadonlyArray<string>, ReadonlyArray<string>, object?]>([
    ["pipe start", ["pipe", "start", pipeId], ["Setup", "Running"]],
    ["pipe stop", ["pipe", "stop", pipeId], ["Pausing", "Paused"]],
    ["pipe stop of a pipe that is completed", ["pipe", "stop", pipeId], ["Completed"]],
    ["pipe resync", ["pipe", "resync", pipeId], ["Resync", "Running"]],
    ["pipe resume", ["pipe", "resume", pipeId, "--skip"], ["Provisioning", "Running"], { kafka: {} }]
  ])("of %s waits for the end of the change", async (_, args, states, source = postgres) => {
    respondInOrder(...states.map((state) => pipe(state, source)))
    const { exitCode, stdout } = await run(...args, "--wait", "--json")
    assert.deepStrictEqual([exitCode, stateOf(stdout), reads()], [0, states.at(-1), states.length - 1])
  })

  it("of pipe create ends with 9 and the id if the pipe fails", async () => {
    const body = {
      name: "orders",
      source: { kafka: { type: "kafka", brokers: "b:9092", topics: "t", format: "JSONEachRow" } }
    }
    respondInOrder(pipe("Provisioning"), pipe("Failed"))
    const { exitCode, stderr } = await headgate(["pipe", "create", "--file", "-", "--wait"], {
      speed,
      env: everything(api.url),
      stdin: JSON.stringify({ ...body, destination: { database: "default", table: "t", managedTable: true } })
    })
    assert.deepStrictEqual([exitCode, api.received[0]?.method], [9, "POST"])
    assert.include(stderr, `Pipe ${pipeId} is Failed and cannot become Running`)
  })

  it.each<[string, ReadonlyArray<string>]>([
    ["a change of the tables", ["Modifying", "Running"]],
    ["a change that starts nothing", ["Paused"]]
  ])("of pipe update waits for the end of %s", async (_, states) => {
    respondInOrder(...states.map((state) => pipe(state, postgres)))
    const { exitCode, stdout } = await headgate(["pipe", "update", pipeId, "--file", "-", "--wait", "--json"], {
      speed,
      env: everything(api.url),
      stdin: JSON.stringify({ name: "orders" })
    })
    assert.deepStrictEqual([exitCode, stateOf(stdout), reads()], [0, states.at(-1), states.length - 1])
  })

  it.each([
    ["Ready", 0],
    ["PendingAcceptance", 0],
    ["Failed", 9]
  ])("of private-endpoint create reads until it is %s, and ends with %i", async (status, code) => {
    const endpoint = (status: string) => ({ id: pipeId, serviceId, type: "MSK_MULTI_VPC", status })
    respondInOrder(enveloped(endpoint("Provisioning")), enveloped(endpoint(status)))
    const flags = ["--type", "MSK_MULTI_VPC", "--msk-cluster-arn", "arn", "--msk-authentication", "SASL_IAM"]
    const { exitCode, stderr } = await run("private-endpoint", "create", ...flags, "--wait")
    assert.deepStrictEqual([exitCode, reads()], [code, 1])
    assert.include(stderr, `Private endpoint ${pipeId} is Provisioning, waiting for Ready or PendingAcceptance`)
  })

  it.each([
    ["start", "awaking", "running"],
    ["wake", "awaking", "running"],
    ["stop", "stopping", "stopped"]
  ])("of service %s waits for the end of the change", async (verb, passing, end) => {
    const found = (state: string) => enveloped({ id: serviceId, name: "ingest", state })
    respondInOrder(found(passing), found(end))
    const { exitCode, stdout } = await run("service", verb, "--wait", "--json")
    assert.deepStrictEqual([exitCode, stateOf(stdout)], [0, end])
    assert.deepStrictEqual(
      api.received.map(({ method, path }) => `${method} ${path}`),
      [
        `PATCH /v1/organizations/${organization}/services/${serviceId}/state`,
        `GET /v1/organizations/${organization}/services/${serviceId}`
      ]
    )
  })

  it("of service start ends with 9 if the service is stopped meanwhile", async () => {
    const found = (state: string) => enveloped({ id: serviceId, name: "ingest", state })
    respondInOrder(found("awaking"), found("stopping"))
    assert.strictEqual((await run("service", "start", "--wait")).exitCode, 9)
  })
})

describe("headgate pipe watch", () => {
  const gone = errorReply(404, "NOT_FOUND: no such pipe")

  it("prints a line for each change, and none while nothing changes", async () => {
    respondInOrder(pipe("Provisioning"), pipe("Provisioning"), pipe("Running"), gone)
    const { exitCode, stdout } = await run("pipe", "watch", pipeId)
    assert.strictEqual(exitCode, 5)
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
    assert.match(stdout, new RegExp(`^${time}  Provisioning\n${time}  Running\n$`))
  })

  it("shows how a pipe moves its rows, and why it does not", async () => {
    const status = (fields: object) => enveloped({ state: "Running", simulated: false, ...fields })
    respondInOrder(
      pipe("Running"),
      status({ rows: 12_345, rowsPerSecond: 1200, lag: 7, errors: 2 }),
      pipe("Degraded"),
      status({ rows: 12_345, rowsPerSecond: 0, lag: null, errors: 0, message: "no broker\u001b[31m answers" }),
      gone
    )
    const { stdout } = await run("pipe", "watch", pipeId)
    const [first = "", second = ""] = stdout.split("\n")
    assert.match(first, / {2}Running {2}1,200 rows\/s, lag 7, 12,345 rows, 2 rejected$/)
    assert.match(second, / {2}Degraded {2}0 rows\/s, 12,345 rows, no broker/)
    assert.notInclude(stdout, "\u001b")
  })

  it("prints a line when rows were moved, and none for what changes by itself or could not be read", async () => {
    const moved = (rows: number, rowsPerSecond: number) => [
      pipe("Running"),
      enveloped({ state: "Running", simulated: false, rows, rowsPerSecond })
    ]
    const unread = [pipe("Running"), errorReply(503, "UNAVAILABLE: later")]
    respondInOrder(...moved(1, 9), ...moved(1, 8), ...unread, ...moved(1200, 7), gone)
    const { stdout } = await run("pipe", "watch", pipeId, "--max-retries", "0")
    assert.match(stdout, /^\S+ {2}Running {2}9 rows\/s, 1 rows\n\S+ {2}Running {2}7 rows\/s, 1,200 rows\n$/)
  })

  it("prints a document a line with --json, and a warning after a temporary failure", async () => {
    respondInOrder(pipe("Running"), errorReply(503, "UNAVAILABLE: later"), pipe("Failed"), gone)
    const { stderr, stdout } = await run("pipe", "watch", pipeId, "--json", "--max-retries", "0")
    const states = stdout.trimEnd().split("\n").map(stateOf)
    assert.deepStrictEqual(states, ["Running", "Failed"])
    assert.match(stderr, /^warning: .*; trying again\.$/m)
  })

  it("ends at a state of --until, and after --wait-timeout", async () => {
    respondInOrder(pipe("Provisioning"), pipe("Running"), gone)
    const reached = await run("pipe", "watch", pipeId, "--until", "Failed", "--until", "Running", "--json")
    assert.deepStrictEqual(reached.stdout.trimEnd().split("\n").map(stateOf), ["Provisioning", "Running"])
    assert.strictEqual(reached.exitCode, 0)
    api.respondWith(() => pipe("Provisioning"))
    const late = await run("pipe", "watch", pipeId, "--until", "Running", "--wait-timeout", "2s")
    assert.strictEqual(late.exitCode, 8)
    assert.include(late.stderr, "is still Provisioning after 2s: waited for Running")
    assert.strictEqual((await run("pipe", "watch", pipeId, "--wait-timeout", "2s")).exitCode, 0)
  })

  it("ends with 130 after Ctrl-C", async () => {
    let interrupt = (): void => {}
    api.respondWith(() => {
      // The first line has been printed before the second read of the pipe, which follows one of its status.
      if (api.received.length === 3) interrupt()
      return pipe("Running")
    })
    const { exitCode, stderr, stdout } = await headgateProcess(["pipe", "watch", pipeId], {
      env: everything(api.url),
      onStart: (kill) => {
        interrupt = () => kill("SIGINT")
      }
    })
    assert.deepStrictEqual([exitCode, stderr], [130, ""])
    // A space may tell whether the pipe is still read.
    assert.match(stdout, /^\S+ {2}Running\n ?$/)
  })
})
