import { type Outcome, requestBytes, type WireAnswer, WireConnection } from "@headgate/harness/WireConnection"
import { jsonOf, shapeFault } from "@headgate/harness/answerShape"
import type { Cell } from "./cells.ts"
import { webhookUrl } from "./keys.ts"
import { seesUrl } from "./oracle.ts"

// More than the server has cores, few enough that they do not wait for each other.
const concurrency = 24

const bytesOf = ({ body, caller, credential, operation, path }: Cell): Buffer =>
  requestBytes({
    method: operation.method,
    path,
    authorization: credential.authorization,
    headers: caller.forwardedFor === undefined ? [] : [["x-forwarded-for", caller.forwardedFor]],
    body
  })

const readsWebhooks = new Set(["webhook.list", "webhook.get", "serviceWebhook.list", "serviceWebhook.get"])

/** Sends cells and compares every answer with the expected one. */
export class CellRunner {
  readonly disagreements: Array<string> = []
  /** How many answers of each operation and status there were. */
  readonly answers = new Map<string, number>()
  /** Acknowledged cells: nothing else may have changed the store. */
  readonly allowed = new Set<Cell>()
  private readonly requestIds = new Set<string>()
  private readonly messages = new Map<string, { readonly text: string; readonly cell: Cell }>()
  private readonly url: string

  constructor(url: string) {
    this.url = url
  }

  get sent(): number {
    return Array.from(this.answers.values()).reduce((sum, count) => sum + count, 0)
  }

  async send(cells: ReadonlyArray<Cell>): Promise<void> {
    const rest = cells.values()
    const work = async () => {
      const connections = new Map<string, WireConnection>()
      for (const cell of rest) {
        const localAddress = cell.caller.connectsFrom
        const connection = connections.get(localAddress) ?? new WireConnection({ url: this.url, localAddress })
        connections.set(localAddress, connection)
        this.judge(cell, await connection.exchange(bytesOf(cell), cell.operation.method))
      }
      for (const connection of connections.values()) connection.close()
    }
    await Promise.all(Array.from({ length: concurrency }, work))
  }

  private judge(cell: Cell, outcome: Outcome): void {
    const status = "silence" in outcome ? "no answer" : String(outcome.status)
    const key = `${cell.operation.name} ${status}`
    this.answers.set(key, (this.answers.get(key) ?? 0) + 1)
    const fault = "silence" in outcome ? outcome.silence : this.faultOf(cell, outcome)
    if (fault === undefined) return
    const got = "silence" in outcome ? "" : `, got ${status} ${outcome.body.toString("utf8").slice(0, 200)}`
    const disagreement = `[${cell.id}] ${cell.title}: expected ${cell.expected}${got}: ${fault}`
    // The first ones are printed: wrong statuses before wrong contents.
    if (status === String(cell.expected)) this.disagreements.push(disagreement)
    else this.disagreements.unshift(disagreement)
  }

  private faultOf(cell: Cell, answer: WireAnswer): string | undefined {
    const { operation } = cell
    if (answer.status === 200) this.allowed.add(cell)
    if (answer.status !== cell.expected) return "another status"
    const { authorization } = cell.credential
    const shape = shapeFault({ method: operation.method, api: operation.api, operation, authorization }, answer)
    if (shape !== undefined) return shape
    const requestId = answer.headers.get("x-request-id") ?? ""
    if (this.requestIds.has(requestId)) return `the request id ${requestId} was used before`
    this.requestIds.add(requestId)
    return this.messageFault(cell, answer) ?? this.contentFault(cell, answer)
  }

  private messageFault(cell: Cell, answer: WireAnswer): string | undefined {
    if (cell.messageGroup === undefined) return undefined
    const body = jsonOf(answer)
    const text = String(body?.error ?? body?.message)
    const before = this.messages.get(cell.messageGroup)
    if (before === undefined) this.messages.set(cell.messageGroup, { text, cell })
    return before === undefined || before.text === text
      ? undefined
      : `[${before.cell.id}] was rejected with "${before.text}"`
  }

  /** Reads must return what is the caller's and nothing else. */
  private contentFault({ credential, expected, operation, owner }: Cell, answer: WireAnswer): string | undefined {
    if (expected !== 200) return undefined
    const text = answer.body.toString("utf8")
    if (operation.name === "pipe.get" && !text.includes(owner.keptPipe)) return "it is another pipe"
    if (readsWebhooks.has(operation.name) && text.includes(webhookUrl) !== seesUrl(credential.credentials))
      return `the url of a webhook is ${text.includes(webhookUrl) ? "there" : "absent"}`
    if (operation.name !== "dashboard.list") return undefined
    const names = Array.from(text.matchAll(/"name":"([^"]+)"/g), ([, name = ""]) => name)
    const foreign = names.filter((name) => !name.startsWith(`${owner.resourceId} `))
    return foreign.length === 0 ? undefined : `it lists dashboards of others: ${foreign.slice(0, 3).join()}`
  }
}
