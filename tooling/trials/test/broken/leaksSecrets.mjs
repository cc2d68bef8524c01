// Puts the Authorization header of a request where its header `x-leak` says.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { intercept, serveBroken } from "./serve.mjs"

const valueOf = (flag) => (process.argv.includes(flag) ? process.argv[process.argv.indexOf(flag) + 1] : "")

/** A file beside the data directory, whose text the next programs over that store print. */
const printedNext = (stream) => join(valueOf("--data"), "..", `next-${stream}.txt`)

for (const stream of ["stdout", "stderr"]) {
  if (existsSync(printedNext(stream))) process[stream].write(readFileSync(printedNext(stream), "utf8"))
}

/** The texts of answers to later requests, by their path. */
const answers = new Map()

const places = {
  stdout: (secret) => process.stdout.write(`${secret}\n`),
  stderr: (secret) => process.stderr.write(`${secret}\n`),
  "data directory": (secret) => writeFileSync(join(valueOf("--data"), "cache.txt"), secret),
  "header of an answer": (secret, response) => response.setHeader("x-debug", secret),
  "body of an answer": (secret, response) =>
    response.writeHead(401, { "content-type": "application/json" }).end(JSON.stringify({ error: secret })),
  traces: (secret) => void fetch(`${valueOf("--otlp-endpoint")}/v1/traces`, { method: "POST", body: secret }),
  metrics: (secret) => answers.set("/metrics", `requests{key="${secret}"} 1\n`),
  journal: (secret) => answers.set("/_admin/requests", JSON.stringify({ matched: 1, requests: [secret] })),
  "process list": (secret) => (process.title = `server ${secret}`),
  "stdout of a program": (secret) => writeFileSync(printedNext("stdout"), secret),
  "stderr of a program": (secret) => writeFileSync(printedNext("stderr"), secret),
  "rows of Postgres": async (secret) => {
    const { default: pg } = await import("pg")
    const client = new pg.Client(valueOf("--database-url"))
    await client.connect()
    await client.query(`CREATE TABLE cache AS SELECT '${secret}' AS text`)
    await client.end()
  }
}

await serveBroken((server) =>
  intercept(server, (request, response) => {
    const { authorization, "x-leak": place } = request.headers
    if (place !== undefined) {
      places[place](authorization, response)
      return response.writableEnded
    }
    const answer = answers.get(request.url)
    if (answer !== undefined) response.writeHead(200).end(answer)
    return answer !== undefined
  })
)
