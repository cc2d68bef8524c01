import {
  cliScript,
  type Ended,
  type ProgramOptions,
  runProgram,
  type ServerProcess,
  startServer
} from "@headgate/harness/ServerProcess"
import { type PlainRequest, type WireAnswer, WireConnection } from "@headgate/harness/WireConnection"
import { bodyOf, serveLocally } from "@headgate/harness/ReverseProxy"
import { jsonOf } from "@headgate/harness/answerShape"
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Canaries, Canary } from "./Canaries.ts"
import { ids, makeEnvironment, type Environment } from "./environment.ts"

export interface Invocation extends ProgramOptions {
  /** The canaries that its stdout is documented to show. */
  readonly shows?: (stdout: string) => ReadonlyArray<Canary>
  /** Whether it must exit with 0; most programs of this trial must not. */
  readonly succeeds?: boolean
}

/** A request with a canary in it. */
export interface CanaryRequest extends PlainRequest {
  readonly name: string
  /** The status that it must be answered with. */
  readonly status: number
  /** The canaries that the answer is documented to show, read from its body if the server generates them. */
  readonly shows?: (body: any) => ReadonlyArray<Canary>
}

/** A server whose every secret is a canary. */
export interface CanaryServer {
  readonly where: string
  readonly server: ServerProcess
  readonly environment: Environment
  /** The flags that choose its store. */
  readonly store: ReadonlyArray<string>
  /** The directory of a store over SQLite. */
  readonly data: string
  /** The database of a store over Postgres. */
  readonly url: string | undefined
  /** Of `/_admin`. */
  readonly adminToken?: string
}

/** Runs programs, sends requests, and captures everything that they put out. */
export class Capture {
  readonly canaries: Canaries
  readonly server: string
  readonly cli = cliScript
  /** How many requests were sent. */
  sent = 0
  private readonly parent: string
  private readonly programs: number

  /** `programs`: how many run at once. */
  constructor(canaries: Canaries, server: string, parent: string, programs: number) {
    this.canaries = canaries
    this.server = server
    this.parent = parent
    this.programs = programs
  }

  /** The value of a new canary. */
  secret(kind: string): string {
    return this.canaries.plant(kind).value
  }

  /** An empty directory. */
  directory(): string {
    return mkdtempSync(join(this.parent, "capture-"))
  }

  /** The credentials that a program printed when it created them. */
  minted(where: string, printed: string): ReadonlyArray<Canary> {
    return ["key secret", "bearer token"].flatMap((label) =>
      Array.from(printed.matchAll(new RegExp(`^ *${label} +(\\S+)$`, "gm")), ([, value = ""]) =>
        this.canaries.know(`${label} created by ${where}`, value)
      )
    )
  }

  /** Runs a program. Rejects if its exit code is not as expected: then its output proves nothing. */
  async run(name: string, script: string, { shows, succeeds = false, ...options }: Invocation): Promise<Ended> {
    const ended = await runProgram(script, options)
    const { code, stderr, stdout } = ended
    if ((code === 0) !== succeeds)
      throw new Error(`${name}: exit code ${code}: ${JSON.stringify(ended).slice(0, 1000)}`)
    this.canaries.add(`${name}, stdout`, stdout, shows?.(stdout))
    this.canaries.add(`${name}, stderr`, stderr)
    return ended
  }

  /** Sends a request and keeps the whole answer, headers included. */
  async send(where: string, url: string, request: CanaryRequest): Promise<WireAnswer> {
    const answer = await this.sendAny(where, url, request)
    if (answer.status === request.status) return answer
    throw new Error(
      `${where}, ${request.name}: ${answer.status}, not ${request.status}: ${answer.body.toString("utf8")}`
    )
  }

  /** Sends a request whose status the caller judges. */
  async sendAny(where: string, url: string, request: Omit<CanaryRequest, "status">): Promise<WireAnswer> {
    const connection = new WireConnection({ url })
    this.sent++
    const answer = await connection.send(request)
    connection.close()
    const head = Array.from(answer.headers, ([header, value]) => `${header}: ${value}`).join("\n")
    const text = `${head}\n\n${answer.body.toString("utf8")}`
    this.canaries.add(`${where}, answer to ${request.name}`, text, request.shows?.(jsonOf(answer)))
    return answer
  }

  /** Runs tasks, a few at a time. */
  async parallel(tasks: ReadonlyArray<() => Promise<unknown>>): Promise<void> {
    const rest = tasks.values()
    const work = async () => {
      for (const task of rest) await task()
    }
    await Promise.all(Array.from({ length: this.programs }, work))
  }

  /** Starts a server over SQLite, or over the Postgres database at `url`. */
  async startServer(where: string, flags: ReadonlyArray<string>, url?: string): Promise<CanaryServer> {
    const environment = makeEnvironment(this.canaries)
    const home = this.directory()
    const data = join(home, "data")
    const snapshot = join(home, "snapshot.json")
    writeFileSync(snapshot, environment.snapshot)
    const store = url === undefined ? ["--data", data] : ["--database-url", url]
    mkdirSync(data, { mode: 0o700 })
    const server = await startServer(this.server, ...store, "--import", snapshot, ...flags)
    return { where, environment, data, store, server, url }
  }

  /** Starts a server and stops it. Returns the credentials that it printed. */
  async startAndStop(name: string, ...args: ReadonlyArray<string>): Promise<ReadonlyArray<Canary>> {
    const { stderr, stdout } = await (await startServer(this.server, ...args)).stop()
    const minted = this.minted(name, stderr)
    this.canaries.add(`${name}, stdout`, stdout)
    this.canaries.add(`${name}, stderr`, stderr, minted)
    return minted
  }

  /** Calls the API for tests of a server with `--admin`. */
  async admin(
    { adminToken, server, where }: CanaryServer,
    method: string,
    path: string,
    body?: string
  ): Promise<string> {
    const headers = {
      "content-type": "application/json",
      ...(adminToken === undefined ? {} : { "headgate-admin-token": adminToken })
    }
    const response = await fetch(`${server.url}/_admin/${path}`, { method, headers, ...(body && { body }) })
    const text = await response.text()
    this.canaries.add(`${where}, answer to ${method} ${path}`, text)
    if (!response.ok) throw new Error(`${where}, ${method} ${path}: ${response.status}: ${text}`)
    return text
  }

  /** Starts a collector of traces. `stop` keeps and returns what it received. */
  async startCollector() {
    const traces: Array<Buffer> = []
    const { close, url } = await serveLocally(async (request, response) => {
      traces.push(await bodyOf(request))
      response.writeHead(200, { "content-type": "application/json" }).end("{}")
    })
    const stop = async (): Promise<Buffer> => {
      await close()
      const received = Buffer.concat(traces)
      this.canaries.add("traces", received)
      return received
    }
    return { url, stop }
  }

  /** Runs commands over the store of a server, dumps a database, and reads what other users of the machine see of the server. */
  async showStore({ server, store, url, where }: CanaryServer): Promise<void> {
    const ofOrganization = ["--organization", ids.organization]
    for (const command of [
      ["export"],
      ["export", "--with-secrets"],
      ["organization", "list", "--json"],
      ["service", "list", ...ofOrganization],
      ["key", "list", "--json", ...ofOrganization]
    ]) {
      const args = [...command, ...store, "--log-level", "all"]
      await this.run(`${where}, headgate-server ${command.join(" ")}`, this.server, { args, succeeds: true })
    }
    const metrics = await fetch(`${server.url}/metrics`)
    this.canaries.add(`${where}, /metrics`, await metrics.text())
    this.canaries.add(`${where}, arguments in the process list`, readFileSync(`/proc/${server.pid}/cmdline`))
    if (url === undefined) return
    this.canaries.add(`${where}, dump of Postgres`, execFileSync("pg_dump", [url], { maxBuffer: 64 * 1024 * 1024 }))
  }

  /** Stops a server; keeps what it printed and every file that it leaves. Returns what it printed. */
  async stopServer({ data, server, where }: CanaryServer): Promise<string> {
    const { stderr, stdout } = await server.stop()
    this.canaries.add(`${where}, stdout of the server`, stdout)
    // One organization of the snapshot has no token: the server creates one and prints it.
    this.canaries.add(`${where}, stderr of the server`, stderr, this.minted(where, stderr))
    this.canaries.addDirectory(`${where}, data directory`, data)
    return `${stdout}\n${stderr}`
  }
}
