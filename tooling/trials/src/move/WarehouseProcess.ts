// The warehouse of a trial: an engine behind HTTP, in a process of its own, whose files can be put back to what they were.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { env, execPath } from "node:process"
import { fileURLToPath } from "node:url"
import { frontUser } from "../../../../packages/mover-clickhouse/test/support/httpFront.ts"
import type { Query } from "./MovedSource.ts"

const script = fileURLToPath(
  new URL("../../../../packages/mover-clickhouse/test/processes/warehouse.ts", import.meta.url)
)

/** A warehouse that keeps its address and its tables when it is started again. */
export class WarehouseProcess {
  private readonly directory: string
  private child: ChildProcess | undefined
  url = ""

  constructor(directory: string) {
    this.directory = directory
    mkdirSync(this.path, { recursive: true })
    process.once("exit", () => this.child?.kill("SIGKILL"))
  }

  private get path(): string {
    return join(this.directory, "warehouse")
  }

  private get saved(): string {
    return join(this.directory, "warehouse.saved")
  }

  async start(): Promise<void> {
    const port = this.url === "" ? "0" : new URL(this.url).port
    const child = spawn(execPath, [script, this.path, port], { env, stdio: ["ignore", "pipe", "inherit"] })
    this.child = child
    const [line] = await once(child.stdout, "data")
    this.url = String(line).trim()
  }

  async stop(): Promise<void> {
    const { child } = this
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGKILL")
    await once(child, "exit")
  }

  /** Copies the files of the engine, between two statements of its own. */
  async save(): Promise<void> {
    await this.stop()
    rmSync(this.saved, { recursive: true, force: true })
    cpSync(this.path, this.saved, { recursive: true })
    await this.start()
  }

  /** Puts back the files that were saved. */
  async restore(): Promise<void> {
    await this.stop()
    rmSync(this.path, { recursive: true, force: true })
    cpSync(this.saved, this.path, { recursive: true })
    await this.start()
  }

  readonly query: Query = async (sql) => {
    const credentials = Buffer.from(`${frontUser.name}:${frontUser.password}`).toString("base64")
    const init = { method: "POST", headers: { authorization: `Basic ${credentials}` }, body: sql }
    const response = await fetch(this.url, init)
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text
  }
}
