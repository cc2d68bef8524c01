import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { countPath } from "./served.ts"

const script = fileURLToPath(new URL("rawServer.main.ts", import.meta.url))

/** The raw server, in a process of its own: what it costs is not counted. */
export class RawServer {
  readonly url: string
  private readonly child: ChildProcess

  private constructor(url: string, child: ChildProcess) {
    this.url = url
    this.child = child
  }

  static async start(): Promise<RawServer> {
    const child = fork(script)
    const [port] = await once(child, "message")
    return new RawServer(`http://127.0.0.1:${port}`, child)
  }

  /** How many requests it has answered with the full pipe. */
  async served(): Promise<number> {
    const response = await fetch(this.url + countPath)
    return Number(await response.text())
  }

  stop(): void {
    if (this.child.connected) this.child.disconnect()
    this.child.kill()
  }
}
