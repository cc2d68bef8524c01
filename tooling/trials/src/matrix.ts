// Sends every combination of credentials, caller and operation over real sockets and compares each status with an oracle.
import { runTrial, type TrialOptions } from "@headgate/harness/Command"
import { makeRandom } from "@headgate/harness/Random"
import { runServerCommand, startServer } from "@headgate/harness/ServerProcess"
import { basic, keysPath } from "@headgate/harness/Snapshot"
import { say, Verdict } from "@headgate/harness/Verdict"
import { WireConnection } from "@headgate/harness/WireConnection"
import { jsonOf } from "@headgate/harness/answerShape"
import { median } from "@headgate/harness/rounds"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { CellRunner } from "./matrix/CellRunner.ts"
import { type Breadth, type Cell, CellMaker, matrixOperations } from "./matrix/cells.ts"
import { callers, organizations, proxyAddress, roleSets } from "./matrix/dimensions.ts"
import {
  type Credential,
  makeKeys,
  type MatrixKey,
  oddCredentials,
  plainKey,
  sessionCredentials,
  type Sessions,
  snapshotOf,
  tokenCredentials,
  usualCredentials
} from "./matrix/keys.ts"
import { answerWhenAllowed } from "./matrix/oracle.ts"
import { storeFaults } from "./matrix/storeFaults.ts"

/** Cells that are sent together, after commands of the operator. */
interface Stage {
  readonly name: string
  readonly commands: ReadonlyArray<ReadonlyArray<string>>
  /** The keys whose sessions are opened before the commands. */
  readonly opens?: ReadonlyArray<MatrixKey>
  readonly cells: ReadonlyArray<Cell>
}

// All of them times every other dimension would be four million cells. These are one of each method, and one of each kind of path.
const someOperations = ["pipe.get", "key.create", "key.update", "pipe.delete", "organization.whoami", "dashboard.list"]
const everyOperation: Breadth = { callers: callers.slice(0, 1), organizations }
const everyCaller: Breadth = { callers, names: someOperations, organizations: ["its own", "another"] }

const stagesOf = (
  maker: CellMaker,
  keys: ReadonlyArray<MatrixKey>,
  sessions: Sessions,
  every: number
): ReadonlyArray<Stage> => {
  const next = (key: MatrixKey) => keys[(keys.indexOf(key) + 1) % keys.length] ?? key
  const cells = (stage: string, key: MatrixKey, credentials: ReadonlyArray<Credential>, breadth: Breadth) =>
    credentials.flatMap((credential) => maker.cells({ stage, key, other: next(key), credential }, breadth))

  // One of each access list that lets somebody in.
  const listed = keys.filter(
    ({ expiry, list, roles, state }) =>
      state === "enabled" && expiry.name === "never" && roles.join() === "admin" && list.name !== "empty"
  )
  const changed = [plainKey(keys, ["admin"]), plainKey(keys, ["developer"])]
  const revoked = plainKey(keys, [])
  const tokens = [...tokenCredentials(revoked.token, true), ...tokenCredentials(`hgt_${revoked.resourceId}`, false)]
  const chosen = keys.filter((_, index) => index % every === 0)
  const onChanged = (...words: ReadonlyArray<string>) =>
    changed.map((key) => ["key", ...words, "--organization", key.id, key.resourceId])
  const asState = (stage: string, state: MatrixKey["state"]) =>
    changed.flatMap((key) => cells(stage, key, usualCredentials({ ...key, state }).slice(0, 1), everyOperation))
  const ofSession = (stage: string, key: MatrixKey, breadth: Breadth, isKnown = true) =>
    cells(stage, key, sessionCredentials(key, sessions, isKnown).slice(0, 1), breadth)
  const plain = roleSets.map((roles) => plainKey(keys, roles))
  return [
    {
      name: "sessions x roles x operation x organization",
      commands: [],
      opens: plain,
      cells: plain.flatMap((key) => ofSession("session", key, everyOperation))
    },
    {
      name: "odd headers of sessions x roles x some operations x organization",
      commands: [],
      cells: plain.flatMap((key) =>
        cells("header of session", key, sessionCredentials(key, sessions), { ...everyOperation, names: someOperations })
      )
    },
    {
      name: "sessions x access list x caller x some operations",
      commands: [],
      opens: listed,
      cells: listed.flatMap((key) => ofSession("session of caller", key, everyCaller))
    },
    {
      name: "operation x roles x state x expiry x credentials x organization",
      commands: [],
      cells: chosen
        .filter(({ list }) => list.name === "absent")
        .flatMap((key) => cells("operation", key, usualCredentials(key), everyOperation))
    },
    {
      name: "roles x state x expiry x access list x credentials x caller x some operations x organization",
      commands: [],
      cells: chosen.flatMap((key) => cells("key", key, usualCredentials(key), everyCaller))
    },
    {
      name: "odd Authorization headers x roles x some operations x organization",
      commands: [],
      cells: roleSets.flatMap((roles) => {
        const key = plainKey(keys, roles)
        return cells("header", key, oddCredentials(key, next(key)), { ...everyOperation, names: someOperations })
      })
    },
    {
      name: "tokens x headers x operation x organization",
      commands: [],
      cells: cells("token", revoked, tokens, everyOperation)
    },
    {
      name: "tokens x headers x caller x some operations",
      commands: [],
      cells: cells("token of caller", revoked, tokens, everyCaller)
    },
    {
      name: "after the operator has disabled two keys and revoked a token",
      opens: changed,
      commands: [...onChanged("disable"), ["token", "revoke", "--organization", revoked.id, revoked.tokenId]],
      cells: [
        ...asState("disabled", "disabled"),
        ...changed.flatMap((key) => ofSession("session of disabled", key, everyOperation, false)),
        ...cells("revoked", revoked, tokenCredentials(revoked.token, false), everyOperation)
      ]
    },
    {
      name: "after the keys are enabled again",
      commands: onChanged("enable"),
      // Their sessions have ended for good.
      cells: [
        ...asState("enabled", "enabled"),
        ...changed.flatMap((key) => ofSession("session of enabled", key, everyOperation, false))
      ]
    },
    // To a caller a deleted key is what a disabled one is.
    { name: "after the keys are deleted", commands: onChanged("delete"), cells: asState("deleted", "disabled") }
  ]
}

/** Opens a session of each key. A key that may not open one from here gets it through the proxy. */
const openSessions = async (url: string, keys: ReadonlyArray<MatrixKey>, sessions: Sessions) => {
  const connection = new WireConnection({ url, localAddress: proxyAddress })
  for (const key of keys) {
    const caller = callers.find(
      ({ connectsFrom, place }) => connectsFrom === proxyAddress && key.list.allows.includes(place)
    )
    const answer = await connection.send({
      method: "POST",
      path: `/v1/organizations/${key.id}/consoleSessions`,
      authorization: key.authorization,
      headers: caller?.forwardedFor === undefined ? [] : [["x-forwarded-for", caller.forwardedFor]]
    })
    const token: unknown = jsonOf(answer)?.result?.token
    if (typeof token !== "string") throw new Error(`no session of a key was opened: ${answer.body.toString("utf8")}`)
    sessions.set(key, token)
  }
  connection.close()
}

const noLimits = ["keys", "dashboards", "pipes", "roles", "others", "documents"].flatMap((what) => [
  `--max-${what}`,
  "0"
])

const guessPairs = 1500

/**
 * How long a wrong secret takes with a key ID that exists and with one that does not, in turns. A figure without a
 * target: the load of the machine would decide it.
 */
const compareGuesses = async (url: string, key: MatrixKey): Promise<string> => {
  const connection = new WireConnection({ url, localAddress: proxyAddress })
  const taken = { known: new Array<number>(), unknown: new Array<number>() }
  for (let pair = 0; pair < guessPairs; pair++) {
    for (const kind of ["known", "unknown"] as const) {
      const keyId = kind === "known" ? key.keyId : `${key.keyId.slice(0, -1)}!`
      const began = performance.now()
      await connection.send({ method: "POST", path: keysPath(key), authorization: basic(keyId, "hgs_guess"), body: "" })
      taken[kind].push((performance.now() - began) * 1000)
    }
  }
  connection.close()
  return (
    `a wrong secret takes ${median(taken.known).toFixed(0)} us with a key ID that exists, ` +
    `${median(taken.unknown).toFixed(0)} us with one that does not (medians of ${guessPairs})`
  )
}

const trial = async ({ count: every, seed, server: script }: TrialOptions, directory: string) => {
  const verdict = new Verdict("matrix")
  const operations = matrixOperations()
  const keys = makeKeys(makeRandom(seed))
  const maker = new CellMaker(operations)
  if (every > 1) say(`only every ${every}th of ${keys.length} keys: this is not the whole matrix`)
  const sessions: Sessions = new Map()
  const stages = stagesOf(maker, keys, sessions, every)
  const cells = stages.flatMap((stage) => stage.cells)
  const data = join(directory, "data")
  const snapshot = join(directory, "snapshot.json")
  writeFileSync(snapshot, snapshotOf(keys, maker.expendable))
  const flags = [
    "--data",
    data,
    "--import",
    snapshot,
    "--trust-proxy",
    `${proxyAddress}/32`,
    // What its requests call it.
    "--public-url",
    "https://headgate.test",
    "--login-limit",
    "off",
    ...noLimits
  ]
  const server = await startServer(script, ...flags)
  const runner = new CellRunner(server.url)
  for (const stage of stages) {
    await openSessions(server.url, stage.opens ?? [], sessions)
    for (const [noun = "", verb = "", ...rest] of stage.commands) {
      await runServerCommand(script, noun, verb, "--data", data, ...rest)
    }
    const began = performance.now()
    await runner.send(stage.cells)
    say(`${stage.cells.length} cells in ${((performance.now() - began) / 1000).toFixed(1)} s: ${stage.name}`)
  }
  say(await compareGuesses(server.url, plainKey(keys, ["admin"])))
  await verdict.cleanExit(server, "the server")

  const faults = storeFaults(JSON.parse(await runServerCommand(script, "export", "--data", data)), {
    keys,
    expendable: maker.expendable,
    cells,
    allowed: runner.allowed,
    deletedKeys: new Set([plainKey(keys, ["admin"]), plainKey(keys, ["developer"])])
  })
  verdict.none(runner.disagreements, "answers that were not as expected")
  verdict.none(faults, "changes that no acknowledged cell accounts for")
  verdict.hold(runner.sent === cells.length, `${runner.sent} answers to ${cells.length} cells`)
  for (const [answer, count] of Array.from(runner.answers).toSorted()) say(`${String(count).padStart(8)}  ${answer}`)
  for (const { name, path } of operations) {
    const always = [answerWhenAllowed(name), 401]
    for (const status of path.includes(":organizationId") ? [...always, 400, 403] : always) {
      verdict.hold(
        runner.answers.has(`${name} ${status}`),
        `${name} was never answered with ${status}: nothing is proved`
      )
    }
  }
  verdict.end(`${cells.length} cells, ${runner.disagreements.length + faults.length} disagreements`)
}

// The whole matrix is `--every 1`. CI runs as few cells as show a server that caches authentication (test/red.test.ts).
await runTrial("matrix", { name: "every", byDefault: 24 }, trial)
