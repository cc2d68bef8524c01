import { credentialHash } from "../load/World.ts"
import { ask, type Question } from "./ask.ts"
import { endMarked, startMarked } from "./markedServer.ts"
import { failingLogins, refusals } from "./questions.ts"
import type { Stage } from "./Stage.ts"
import { keysPath, pipePath } from "./world.ts"

const json = { "content-type": "application/json" }

/** Secrets where a client may put them, by right or by mistake. */
const misplaced = ({ marks }: Stage, authorization: string): ReadonlyArray<Question> => {
  const create = { method: "POST", path: keysPath(), authorization, status: 200 }
  const [secret, keyIdHash] = [marks.plant("secret whose hash was sent, to the journal"), credentialHash("journalled")]
  const hashData = { keyIdHash, keyIdSuffix: "lled", keySecretHash: credentialHash(secret.value) }
  const created = (body: any) => [
    marks.know("secret of a key made beside the journal", String(body?.result?.keySecret))
  ]
  const unasked = marks.plant("keySecret that was sent, to the journal").value
  const inQuery = marks.plant("text of a query, to the journal").value
  const inField = marks.plant("text of a field that nobody knows, to the journal").value
  return [
    { ...create, name: "key.create by hash", body: { name: "x", hashData } },
    { ...create, name: "key.create", body: { name: "x", keySecret: unasked }, shows: created },
    { ...create, name: "key.create", body: { name: "x", pwd: { deep: [inField] } }, shows: created },
    { name: "a query", method: "GET", path: `${pipePath()}/x?token=${inQuery}`, authorization, status: 404 }
  ]
}

/** What a server with `--admin` tells of the requests that carried secrets, and what its faults say of them. */
export const overAdmin = async (stage: Stage): Promise<void> => {
  const flags = ["--admin", "--login-limit", "off", "--log-level", "all"]
  const marked = await startMarked(stage, "server with --admin", ...flags)
  const { server, where, world } = marked
  const { authorization } = world.keys.admin
  const steer = async (method: string, path: string, body?: string) => {
    const response = await fetch(`${server.url}/_admin/${path}`, { method, headers: json, ...(body ? { body } : {}) })
    const text = await response.text()
    stage.search.add(`${where}, answer to ${method} ${path}`, text)
    if (!response.ok) throw new Error(`${where}, ${method} ${path}: answered with ${response.status}: ${text}`)
    return text
  }
  await steer("POST", "seed", world.snapshot)
  const questions = [
    ...failingLogins(stage.marks, world),
    ...refusals(stage.marks, world),
    ...misplaced(stage, authorization)
  ]
  for (const question of questions) await ask(stage, where, server.url, question)
  await steer("PUT", "faults", JSON.stringify({ rules: [{ status: 500 }] }))
  for (const question of failingLogins(stage.marks, world)) {
    await ask(stage, `${where}, under a fault`, server.url, { ...question, status: 500 })
  }
  await steer("GET", "faults")
  const { matched } = JSON.parse(await steer("GET", "requests"))
  if (matched < questions.length)
    throw new Error(`${where}: the journal holds ${matched} of ${questions.length} requests`)
  await steer("POST", "reset")
  await endMarked(stage, marked)
}
