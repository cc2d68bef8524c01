// Leaks a secret into each surface that the trial searches, by a server that does so, and captures it as the trial does.
import { basic } from "@headgate/harness/Snapshot"
import { withPostgres } from "@headgate/harness/withPostgres"
import type { Canary } from "./Canaries.ts"
import type { Capture, CanaryServer } from "./Capture.ts"
import { thePipe } from "./environment.ts"

/** A secret that was leaked, and the output in which it must be found. */
export interface Leak {
  readonly canary: Canary
  readonly output: string
}

const where = "leaky server"

/** The surfaces that a request can have the server leak into, and the outputs that hold them then. */
const overSqlite: Readonly<Record<string, ReadonlyArray<string>>> = {
  stdout: [`${where}, stdout of the server`],
  stderr: [`${where}, stderr of the server`],
  "data directory": [`${where}, data directory, cache.txt`],
  "header of an answer": [`${where}, answer to header of an answer`],
  "body of an answer": [`${where}, answer to body of an answer`],
  traces: ["traces"],
  metrics: [`${where}, /metrics`],
  journal: [`${where}, answer to GET requests`],
  "process list": [`${where}, arguments in the process list`],
  "stdout of a program": [`${where}, headgate-server export, stdout`, "next start, stdout"],
  "stderr of a program": [`${where}, headgate-server export, stderr`, "next start, stderr"]
}
const overPostgres = { "rows of Postgres": [`${where}, dump of Postgres`] }

/** Leaks a secret of its own into each surface. */
export const leakEverywhere = async (capture: Capture): Promise<ReadonlyArray<Leak>> => {
  const leaks: Array<Leak> = []
  const leak = async ({ server }: CanaryServer, surfaces: typeof overSqlite) => {
    for (const [name, outputs] of Object.entries(surfaces)) {
      const canary = capture.canaries.plant(`leak into ${name}`)
      const authorization = basic("nobody", canary.value)
      const headers = [["x-leak", name]] as const
      await capture.sendAny(where, server.url, { name, method: "GET", path: thePipe, authorization, headers })
      leaks.push(...outputs.map((output) => ({ canary, output })))
    }
  }
  const collector = await capture.startCollector()
  const started = await capture.startServer(where, ["--admin", "--otlp-endpoint", collector.url])
  await leak(started, overSqlite)
  await capture.admin(started, "GET", "requests")
  await capture.showStore(started)
  await capture.stopServer(started)
  await capture.startAndStop("next start", "--data", started.data)
  await collector.stop()
  await withPostgres(async (url) => {
    const shared = await capture.startServer(where, [], url)
    await leak(shared, overPostgres)
    await capture.showStore(shared)
    await capture.stopServer(shared)
  })
  return leaks
}
