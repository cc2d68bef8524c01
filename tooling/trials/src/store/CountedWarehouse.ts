// The warehouse of a trial with many pipes: it keeps what movers send it, and is asked over HTTP, so that a mover that is killed or frozen
// holds nothing of it.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A request of a mover. Positions are numbers in this trial. */
export type WarehouseRequest =
  | { readonly call: "insert"; readonly pipeId: string; readonly token: string; readonly rows: ReadonlyArray<string> }
  | { readonly call: "log"; readonly pipeId: string; readonly generation: number; readonly to: number }
  | { readonly call: "logged"; readonly pipeId: string }

/** The answer to `logged`: generation 0 for a pipe that has logged nothing. */
export interface LoggedAnswer {
  readonly generation: number
  readonly to: number
}

interface Table {
  readonly rows: Array<string>
  readonly tokens: Set<string>
  logged: LoggedAnswer
}

const read = async (request: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

export class CountedWarehouse {
  private readonly tables = new Map<string, Table>()
  url = ""

  /** The rows of a pipe, in the order of their inserts. */
  rowsOf(pipeId: string): ReadonlyArray<string> {
    return this.tables.get(pipeId)?.rows ?? []
  }

  get rows(): number {
    return Array.from(this.tables.values()).reduce((sum, { rows }) => sum + rows.length, 0)
  }

  async start(): Promise<void> {
    const server = createServer(async (request, response) => {
      const answer = this.answer(JSON.parse(await read(request)))
      response.setHeader("content-type", "application/json").end(JSON.stringify(answer))
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    this.url = `http://127.0.0.1:${port}`
  }

  private answer(request: WarehouseRequest): LoggedAnswer {
    const table = this.tables.get(request.pipeId) ?? {
      rows: [],
      tokens: new Set(),
      logged: { generation: 0, to: 0 }
    }
    this.tables.set(request.pipeId, table)
    if (request.call === "insert" && !table.tokens.has(request.token)) {
      table.tokens.add(request.token)
      table.rows.push(...request.rows)
    }
    if (request.call === "log") {
      const { generation, to } = request
      const { logged } = table
      // A range that was logged before changes nothing, however late.
      if (generation > logged.generation || (generation === logged.generation && to > logged.to)) {
        table.logged = { generation, to }
      }
    }
    return table.logged
  }
}
