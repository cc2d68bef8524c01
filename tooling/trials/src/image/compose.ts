import { say, type Verdict } from "@headgate/harness/Verdict"
import { withPostgres } from "@headgate/harness/withPostgres"
import { chmodSync, readFileSync } from "node:fs"
import { parse } from "yaml"
import { type Image, makeVolume, start, started, stop } from "./checkServer.ts"
import { readDashboards, writeUntilGone } from "./dashboards.ts"

interface Service {
  readonly command?: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
  readonly read_only?: boolean
  readonly volumes: ReadonlyArray<string>
}

const sealingKey = "q8Jc2ZkYt0yqvXyqkQ0XqL0o2m3mWJ9bq8v1Yh0uYvE="

/** `${NAME:-default}` and `${NAME:?what to do}`, as compose reads them. */
const substitute = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g, (_, name: string, byDefault = "") => values[name] ?? byDefault)

/** Runs the server as compose.yaml says, over a real Postgres: what was written is there after the container was made anew. */
export const checkCompose = async (image: Image, file: string, verdict: Verdict): Promise<void> => {
  const services: Readonly<Record<string, Service>> = parse(readFileSync(file, "utf8")).services
  const { headgate, postgres } = services
  if (headgate === undefined || postgres === undefined) throw new Error(`${file} lacks a service`)
  verdict.hold(headgate.read_only === true, "compose.yaml: the root of the server is not read-only")
  const target = headgate.volumes[0]?.split(":")[1] ?? ""
  verdict.hold(
    Object.hasOwn(image.config.Volumes ?? {}, target),
    `compose.yaml: ${target} is not the volume of the image`
  )
  const values = { POSTGRES_PASSWORD: "password", HEADGATE_SEALING_KEY: sealingKey }
  const environment = Object.fromEntries(
    Object.entries(headgate.environment).map(([name, text]) => [name, substitute(text, values)])
  )
  const { POSTGRES_DB, POSTGRES_PASSWORD = "", POSTGRES_USER } = postgres.environment
  const login = `${POSTGRES_USER}:${substitute(POSTGRES_PASSWORD, values)}`
  const url = `postgres://${login}@postgres:5432/${POSTGRES_DB}`
  verdict.hold(environment["HEADGATE_DATABASE_URL"] === url, `compose.yaml: the database of the server is not ${url}`)

  await withPostgres(async (at) => {
    // The container has no network: the socket stands for it.
    const socket = new URL(at)
    const folder = socket.searchParams.get("host") ?? ""
    chmodSync(folder, 0o711)
    socket.searchParams.set("host", "/run/postgresql")
    const options = {
      env: { ...environment, HEADGATE_DATABASE_URL: socket.href },
      volume: makeVolume(image, "compose"),
      folders: { "/run/postgresql": folder },
      ...(headgate.command === undefined ? {} : { command: headgate.command })
    }
    const first = await started(start(image, options))
    const written = await writeUntilGone(first, 3, () => first.signal("KILL"))
    await first.ended
    const second = await started(start(image, options))
    const there = await readDashboards(second)
    const lost = written.filter((id) => !there.has(id))
    verdict.none(lost, "dashboards lost over Postgres")
    say(`as compose.yaml says, over Postgres: ${lost.length} of ${written.length} acknowledged lost after SIGKILL`)
    await stop(second, "the server over Postgres", verdict)
  })
}
