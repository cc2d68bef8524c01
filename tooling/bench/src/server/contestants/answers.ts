/** The headers of every answer beside those that describe the body. */
export const responseHeaders = (requestId: string) => ({
  "x-request-id": requestId,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff"
})

/** The body of an error of the management API. */
export const errorBody = (status: number, code: string, requestId: string, message = "rejected") => ({
  status,
  error: `${code}: ${message}`,
  requestId
})

/** The log line of a request. */
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

/** Whether this process logs its requests. */
export const isLogging: boolean = process.argv.includes("--log")

/** Prints the address as headgate-server does. */
export const announce = (port: number): void => {
  process.stdout.write(`listening on http://127.0.0.1:${port}\n`)
}
