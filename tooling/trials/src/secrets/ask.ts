import type { WireAnswer } from "../http/AnswerReader.ts"
import { jsonOf } from "../http/answerShape.ts"
import { WireConnection } from "../http/WireConnection.ts"
import type { Mark } from "./Marks.ts"
import type { Stage } from "./Stage.ts"

/** A request that carries a secret. */
export interface Question {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly authorization?: string | undefined
  /** Sent as it is when a string, else as JSON. */
  readonly body?: unknown
  readonly contentType?: string
  /** What it must be answered with: another answer would prove something else. */
  readonly status: number
  /** What the answer is documented to show; told from its body where the server makes it. */
  readonly shows?: (body: unknown) => ReadonlyArray<Mark>
}

export const bytesOf = ({ authorization, body, contentType = "application/json", method, path }: Question): Buffer => {
  const text = typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body)
  return Buffer.from(
    [
      `${method} ${path} HTTP/1.1`,
      "host: headgate.test",
      ...(authorization === undefined ? [] : [`authorization: ${authorization}`]),
      ...(body === undefined ? [] : [`content-type: ${contentType}`]),
      `content-length: ${Buffer.byteLength(text)}`,
      "",
      text
    ].join("\r\n")
  )
}

/** Asks, and keeps the whole answer, headers included. */
export const ask = async ({ search }: Stage, where: string, url: string, question: Question): Promise<WireAnswer> => {
  const connection = new WireConnection({ url })
  const answer = await connection.exchange(bytesOf(question), question.method)
  connection.close()
  if ("silence" in answer) throw new Error(`${where}, ${question.name}: ${answer.silence}`)
  const text = answer.body.toString("utf8")
  if (answer.status !== question.status) {
    throw new Error(`${where}, ${question.name}: answered with ${answer.status}, not ${question.status}: ${text}`)
  }
  const head = Array.from(answer.headers, ([name, value]) => `${name}: ${value}`).join("\n")
  search.add(`${where}, answer to ${question.name}`, `${head}\n\n${text}`, question.shows?.(jsonOf(answer)))
  return answer
}
