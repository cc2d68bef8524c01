/** How long a trial waits for an answer. Generous, because the machine may be shared. */
const answerTimeout = 10_000

/** A whole answer. */
export interface Answer {
  readonly status: number
  /** The body as JSON; `undefined` if it is none. */
  readonly json: any
}

export interface Call {
  readonly method?: string
  readonly path: string
  readonly authorization?: string
  /** Sent as it is if a string, else as JSON. */
  readonly body?: unknown
  /** The `Idempotency-Key` of a creation, under which it is carried out once however often it is sent. */
  readonly idempotencyKey?: string | undefined
}

/** Parses JSON; `undefined` if the text is none. */
export const parseJson = (text: string): any => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Sends one request and rejects if no whole answer came back. `isLast` closes the connection after the answer, so that
 * the next request needs a new one.
 */
export const callJson = async (
  url: string,
  { authorization, body, idempotencyKey, method = "GET", path }: Call,
  { isLast = false } = {}
): Promise<Answer> => {
  const response = await fetch(new URL(path, url), {
    method,
    redirect: "manual",
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      ...(isLast ? { connection: "close" } : {})
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(answerTimeout)
  })
  return { status: response.status, json: parseJson(await response.text()) }
}
