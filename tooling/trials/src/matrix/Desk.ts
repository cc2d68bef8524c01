import type { WireAnswer } from "../http/AnswerReader.ts"
import { jsonOf, shapeFault } from "../http/answerShape.ts"
import { type Outcome, WireConnection } from "../http/WireConnection.ts"
import type { Cell } from "./cells.ts"

const requestOf = ({ body, caller, credential: { authorization }, operation, path }: Cell): Buffer =>
  Buffer.from(
    [
      `${operation.method} ${path} HTTP/1.1`,
      "host: headgate.test",
      ...(authorization === undefined ? [] : [`authorization: ${authorization}`]),
      ...(caller.forwardedFor === undefined ? [] : [`x-forwarded-for: ${caller.forwardedFor}`]),
      ...(body === undefined ? [] : ["content-type: application/json", `content-length: ${Buffer.byteLength(body)}`]),
      "",
      body ?? ""
    ].join("\r\n")
  )

const wordsOf = (answer: WireAnswer): string => {
  const body = jsonOf(answer)
  if (typeof body !== "object" || body === null) return ""
  return "error" in body ? String(body.error) : "message" in body ? String(body.message) : ""
}

const excerpt = ({ body, status }: WireAnswer) => `${status} ${body.toString("utf8").slice(0, 200)}`

/** Sends cells and holds every answer against what was expected of it. */
export class Desk {
  readonly disagreements: Array<string> = []
  readonly answers = new Map<string, number>()
  /** Cells that were acknowledged: only they may have left anything behind. */
  readonly allowed = new Set<Cell>()
  private readonly requestIds = new Set<string>()
  private readonly words = new Map<string, { readonly text: string; readonly cell: Cell }>()
  private readonly url: string
  private readonly workers: number

  constructor(url: string, workers: number) {
    this.url = url
    this.workers = workers
  }

  get sent(): number {
    return Array.from(this.answers.values()).reduce((sum, count) => sum + count, 0)
  }

  async send(cells: ReadonlyArray<Cell>): Promise<void> {
    const rest = cells.values()
    await Promise.all(Array.from({ length: this.workers }, () => this.work(rest)))
  }

  private async work(cells: IterableIterator<Cell>): Promise<void> {
    const connections = new Map<string, WireConnection>()
    for (const cell of cells) {
      const { connectsFrom } = cell.caller
      const connection =
        connections.get(connectsFrom) ?? new WireConnection({ url: this.url, localAddress: connectsFrom })
      connections.set(connectsFrom, connection)
      this.judge(cell, await connection.exchange(requestOf(cell), cell.operation.method))
    }
    for (const connection of connections.values()) connection.close()
  }

  private judge(cell: Cell, outcome: Outcome): void {
    const answered = "silence" in outcome ? "no answer" : String(outcome.status)
    const key = `${cell.operation.name} ${answered}`
    this.answers.set(key, (this.answers.get(key) ?? 0) + 1)
    const fault = "silence" in outcome ? outcome.silence : this.faultOf(cell, outcome)
    if (fault !== undefined) {
      const got = "silence" in outcome ? "" : `, got ${excerpt(outcome)}`
      this.disagreements.push(`[${cell.id}] ${cell.title}: expected ${cell.expected}${got}: ${fault}`)
    }
  }

  private faultOf(cell: Cell, answer: WireAnswer): string | undefined {
    const { operation } = cell
    if (answer.status === 200) this.allowed.add(cell)
    if (answer.status !== cell.expected) return "another status"
    const shape = shapeFault({ method: operation.method, api: operation.api, operation }, answer)
    if (shape !== undefined) return shape
    const requestId = answer.headers.get("x-request-id") ?? ""
    if (this.requestIds.has(requestId)) return `the request id ${requestId} was given before`
    this.requestIds.add(requestId)
    return this.wordsFault(cell, answer) ?? this.contentFault(cell, answer)
  }

  private wordsFault(cell: Cell, answer: WireAnswer): string | undefined {
    if (cell.sameWords === undefined) return undefined
    const text = wordsOf(answer)
    const before = this.words.get(cell.sameWords)
    if (before === undefined) this.words.set(cell.sameWords, { text, cell })
    return before === undefined || before.text === text
      ? undefined
      : `[${before.cell.id}] was refused as "${before.text}"`
  }

  /** Reads must show what is the caller's and nothing else. */
  private contentFault({ expected, operation, owner }: Cell, answer: WireAnswer): string | undefined {
    if (expected !== 200) return undefined
    const text = answer.body.toString("utf8")
    if (operation.name === "pipe.get" && !text.includes(owner.keptPipe)) return "it is not the pipe that was asked for"
    if (operation.name !== "dashboard.list") return undefined
    const foreign = Array.from(text.matchAll(/"name":"([^"]+)"/g), ([, name]) => name).filter(
      (name) => name !== undefined && !name.startsWith(`${owner.id} `)
    )
    return foreign.length === 0 ? undefined : `it lists what is not the organization's: ${foreign.slice(0, 3).join()}`
  }
}
