// Every option, with what a caller without a compiler passes by mistake.
import { assert, describe, it } from "vitest"
import { createClient, InvalidRequestError } from "../src/index.ts"
import { management, observability } from "./support/samples.ts"

const messagesOf = (options: unknown): string => {
  try {
    // A caller without a compiler can do this.
    createClient(options as never)
  } catch (error) {
    if (error instanceof InvalidRequestError) return error.message
    throw error
  }
  throw new Error("expected createClient to throw")
}

const both = { management: management("https://api.test"), observability: observability("https://api.test") }
const url = "Expected a URL such as https://api.example.com"

/** `both` with another value at a path. */
const withValue = (path: string, value: unknown): unknown => {
  const [first = "", second] = path.split(".")
  if (second === undefined) return { ...both, [first]: value }
  const api = first === "management" || first === "observability" ? both[first] : { limit: 1, window: 1 }
  return { ...both, [first]: { ...api, [second]: value } }
}

describe("the message for an option of another type says what to pass", () => {
  it.each<[path: string, value: unknown, message: string]>([
    ["management", "https://api.test", "Expected { baseUrl, keyId, keySecret }"],
    ["management", null, "Expected { baseUrl, keyId, keySecret }"],
    ["management.baseUrl", undefined, url],
    ["management.baseUrl", null, url],
    ["management.baseUrl", 5, url],
    ["management.keyId", 5, "Expected the ID of an API key"],
    ["management.keyId", undefined, "Missing: it is required, or else credentials"],
    ["management.keySecret", 5, "Expected the secret of an API key"],
    ["management.keySecret", undefined, "Missing: it is required, or else credentials"],
    ["management.dialect", 5, "Expected neutral or clickhouse"],
    ["management.dialect", "clickhaus", "Expected neutral or clickhouse"],
    ["observability", true, "Expected { baseUrl, token }"],
    ["observability.baseUrl", undefined, url],
    ["observability.baseUrl", {}, url],
    ["observability.token", 5, "Expected a bearer token"],
    ["observability.token", undefined, "Missing: it is required, or else credentials"],
    ["maxRetries", "2", "Expected a whole number, 0 or more"],
    ["maxRetries", null, "Expected a whole number, 0 or more"],
    ["timeout", "5", "Expected milliseconds above 0"],
    ["deadline", "1 minute", "Expected milliseconds above 0"],
    ["retryCreates", "yes", "Expected true or false"],
    ["userAgent", 5, "Expected printable ASCII characters, such as my-tool/1.2"],
    ["allowInsecureHttp", "true", "Expected true or false"],
    ["maxResponseBytes", "1 MiB", "Expected a whole number of at least 1"],
    ["maxResponseBytes", 0, "Expected a whole number of at least 1"],
    ["onUnreadable", "ignore", "Expected warn or fail"],
    ["maxConcurrency", "8", "Expected a whole number of at least 1"],
    ["rateLimit", 10, "Expected { limit, window }"],
    ["rateLimit.limit", "10", "Expected a number of requests, such as 10"],
    ["rateLimit.limit", undefined, "Expected a number of requests, such as 10"],
    ["rateLimit.window", "1 second", "Expected milliseconds, such as 1000"],
    ["rateLimit.window", undefined, "Expected milliseconds, such as 1000"],
    ["rateLimit.window", 0, "Expected milliseconds above 0, such as 1000"],
    ["rateLimit.window", Infinity, "Expected milliseconds above 0, such as 1000"],
    ["circuitBreaker", true, "Expected { failures, openDuration }, or {} for the defaults"],
    ["fetch", "fetch", "Expected a function like fetch"],
    ["onRequest", "log", "Expected a function"],
    ["onResponse", 7, "Expected a function"],
    ["onRetry", {}, "Expected a function"]
  ])("%s: %j", (path, value, message) => {
    assert.strictEqual(messagesOf(withValue(path, value)), `${path}: ${message}`)
  })

  it.each<[path: string, options: unknown, message: string]>([
    ["management.credentials", { management: { baseUrl: "https://api.test", credentials: {} } }, "Expected a function"],
    [
      "observability.credentials",
      { observability: { baseUrl: "https://api.test", credentials: 5 } },
      "Expected a function"
    ],
    [
      "circuitBreaker.failures",
      { ...both, circuitBreaker: { failures: "5" } },
      "Expected a number of calls, such as 5"
    ],
    ["circuitBreaker.openDuration", { ...both, circuitBreaker: { openDuration: "5" } }, "Expected milliseconds above 0"]
  ])("%s", (path, options, message) => {
    assert.match(messagesOf(options), new RegExp(`^${path}: ${message}[^;]*$`))
  })
})

describe("a misspelt option is rejected by name", () => {
  it.each([
    ["maxRetry", /^maxRetry: Expected one of management, observability, maxRetries, timeout, /],
    ["timeoutMs", /^timeoutMs: Expected one of /],
    ["management.basUrl", /^management\.basUrl: Expected one of baseUrl, credentials, keyId, keySecret, dialect$/],
    ["observability.keyId", /^observability\.keyId: Expected one of baseUrl, credentials, token$/],
    ["rateLimit.per", /^rateLimit\.per: Expected one of limit, window$/]
  ])("%s", (path, message) => {
    assert.match(messagesOf(withValue(path, 3)), message)
  })

  it("of the circuit breaker", () => {
    assert.match(
      messagesOf({ ...both, circuitBreaker: { failure: 5 } }),
      /^circuitBreaker\.failure: Expected one of failures/
    )
  })
})
