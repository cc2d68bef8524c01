/** The headers that every answer carries, beside those that say what the body is. */
export const responseHeaders = (requestId: string) => ({
  "x-request-id": requestId,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff"
})

/** Why a management call is refused. */
export const refusal = (status: number, code: string, requestId: string, message = "see the contract") => ({
  status,
  error: `${code}: ${message}`,
  requestId
})

/** The line that is logged of a request when logging is on. */
export const logLine = (request: {
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly started: number
}) => ({
  time: new Date().toISOString(),
  requestId: request.requestId,
  method: request.method,
  path: request.path,
  status: request.status,
  milliseconds: performance.now() - request.started
})

/** Whether this process was started to log. */
export const isLogging: boolean = process.argv.includes("--log")

/** Tells whoever started this process where it listens, in the words of headgate-server. */
export const announce = (port: number): void => {
  process.stdout.write(`listening on http://127.0.0.1:${port}\n`)
}
