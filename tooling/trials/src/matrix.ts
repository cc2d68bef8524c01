// Every kind of caller x every operation, over real sockets: does the server let in whom it should, and nobody else?
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { neutral } from "@headgate/http-contract"
import { operationsOf } from "./http/operations.ts"
import { makeRandom } from "./load/Random.ts"
import { aftermathFaults } from "./matrix/aftermath.ts"
import { type Cell, CellMaker } from "./matrix/cells.ts"
import { type Credential, oddCredentials, tokenCredentials, usualCredentials } from "./matrix/credentials.ts"
import { callers, proxyAddress, roleSets } from "./matrix/dimensions.ts"
import { Desk } from "./matrix/Desk.ts"
import { compareGuesses } from "./matrix/guesses.ts"
import { makeKeys, type MatrixKey, plainKey, snapshotOf } from "./matrix/world.ts"
import { runTrial, type TrialOptions } from "./report/Trial.ts"
import { say, Verdict } from "./report/Verdict.ts"
import { runServerCommand, startServer } from "./server/ServerProcess.ts"

/** Cells that are sent together, after the operator has done something. */
interface Stage {
  readonly name: string
  readonly before: ReadonlyArray<ReadonlyArray<string>>
  readonly cells: ReadonlyArray<Cell>
}

// More than the server has cores for, fewer than would wait for one another.
const workers = 24

const stagesOf = (maker: CellMaker, keys: ReadonlyArray<MatrixKey>, every: number): ReadonlyArray<Stage> => {
  const next = (key: MatrixKey) => keys[(keys.indexOf(key) + 1) % keys.length] ?? key
  const cells = (product: string, key: MatrixKey, credentials: ReadonlyArray<Credential>, from = callers) =>
    credentials.flatMap((credential) => maker.cells({ product, key, other: next(key), credential }, from))

  const steered = [plainKey(keys, ["admin"]), plainKey(keys, ["developer"])]
  const revoked = plainKey(keys, [])
  const operator = (...words: ReadonlyArray<string>) =>
    steered.map((key) => ["key", ...words, "--organization", key.organizationId, key.id])
  const whenSteered = (product: string, state: MatrixKey["state"]) =>
    steered.flatMap((key) => cells(product, key, usualCredentials({ ...key, state }).slice(0, 1)))
  const plain = roleSets.map((roles) => plainKey(keys, roles))
  return [
    {
      name: "roles x state x expiry x access list x credentials x caller x operation x organization",
      before: [],
      cells: keys.filter((_, index) => index % every === 0).flatMap((key) => cells("key", key, usualCredentials(key)))
    },
    {
      name: "odd Authorization headers x roles x operation x organization",
      before: [],
      cells: plain.flatMap((key) => cells("header", key, oddCredentials(key, next(key)), callers.slice(0, 1)))
    },
    {
      name: "tokens x how they are presented x caller x operation x organization",
      before: [],
      cells: cells("token", revoked, [
        ...tokenCredentials(revoked.token, true),
        ...tokenCredentials(`hgt_${revoked.id}`, false)
      ])
    },
    {
      name: "after the operator has disabled two keys and revoked a token, the server running",
      before: [...operator("disable"), ["token", "revoke", "--organization", revoked.organizationId, revoked.tokenId]],
      cells: [
        ...whenSteered("disabled", "disabled"),
        ...cells("revoked", revoked, tokenCredentials(revoked.token, false))
      ]
    },
    { name: "after the keys are enabled again", before: operator("enable"), cells: whenSteered("enabled", "enabled") },
    // To a caller a deleted key is what a disabled one is.
    { name: "after the keys are deleted", before: operator("delete"), cells: whenSteered("deleted", "disabled") }
  ]
}

const trial = async ({ count: every, seed, server: script }: TrialOptions, directory: string) => {
  const verdict = new Verdict("matrix")
  const keys = makeKeys(makeRandom(seed))
  const maker = new CellMaker(operationsOf(neutral))
  if (every > 1) say(`only every ${every}th of ${keys.length} keys: this is not the whole matrix`)
  const stages = stagesOf(maker, keys, every)
  const all = stages.flatMap(({ cells }) => cells)
  const data = join(directory, "data")
  const snapshot = join(directory, "snapshot.json")
  writeFileSync(snapshot, snapshotOf(keys, maker.expendable))
  const server = await startServer(
    script,
    "--data",
    data,
    "--import",
    snapshot,
    "--trust-proxy",
    `${proxyAddress}/32`,
    "--login-limit",
    "off"
  )
  const desk = new Desk(server.url, workers)
  for (const { before, cells, name } of stages) {
    for (const [noun = "", verb = "", ...rest] of before) {
      await runServerCommand(script, noun, verb, "--data", data, ...rest)
    }
    const begun = performance.now()
    await desk.send(cells)
    say(`${cells.length} cells in ${((performance.now() - begun) / 1000).toFixed(1)} s: ${name}`)
  }
  say(await compareGuesses(server.url, plainKey(keys, ["admin"])))
  const { code, complaints } = await server.stop()
  verdict.hold(code === 0, `the server, told to stop, ended with ${code}`)
  verdict.hold(complaints === "", `the server complained: ${complaints.slice(0, 500)}`)

  const { stdout } = await runServerCommand(script, "export", "--data", data)
  const steered = new Set([plainKey(keys, ["admin"]), plainKey(keys, ["developer"])])
  const effects = aftermathFaults(JSON.parse(stdout), {
    keys,
    expendable: maker.expendable,
    cells: all,
    allowed: desk.allowed,
    deletedKeys: steered
  })

  verdict.none(desk.disagreements, "answers that were not as expected")
  verdict.none(effects, "effects that no acknowledged cell accounts for")
  verdict.hold(desk.sent === all.length, `${desk.sent} answers to ${all.length} cells`)
  for (const [answer, count] of Array.from(desk.answers).toSorted()) say(`${String(count).padStart(8)}  ${answer}`)
  for (const { name } of operationsOf(neutral)) {
    for (const outcome of name.startsWith("dashboard") ? [200, 401] : [200, 400, 401, 403]) {
      verdict.hold(
        desk.answers.has(`${name} ${outcome}`),
        `${name} was never answered with ${outcome}: nothing is proved`
      )
    }
  }
  verdict.end(`${all.length} cells, ${desk.disagreements.length + effects.length} disagreements`)
}

await runTrial("matrix", { name: "every", usual: 1 }, trial)
