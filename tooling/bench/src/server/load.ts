import autocannon from "autocannon"
import type { Scenario } from "./scenarios.ts"

export const connections = 64

/** What came of sending the requests of a scenario for a while. */
export interface LoadResult {
  readonly requests: number
  /** Answers that are not a success, and requests without an answer. */
  readonly failed: number
  readonly seconds: number
  readonly p99Milliseconds: number
}

const headersOf = (authorization: string, body: string | undefined) => ({
  accept: "application/json",
  authorization,
  ...(body === undefined ? {} : { "content-type": "application/json" })
})

/** Sends the requests of a scenario over all connections. */
export const load = async (url: string, { body, method, targets }: Scenario, seconds: number): Promise<LoadResult> => {
  const requests = targets.map(({ authorization, path }) => ({
    method: method as "GET" | "POST" | "PATCH" | "PUT", // the methods of the contract's operations that are measured
    path,
    headers: headersOf(authorization, body),
    ...(body === undefined ? {} : { body })
  }))
  let client = 0
  // The connections share the targets. Requests are built once for each: building them anew makes autocannon the slower side.
  const setupClient = (connection: autocannon.Client) => {
    const share = client++ % Math.min(connections, requests.length)
    connection.setRequests(requests.filter((_, index) => index % connections === share))
  }
  const result = await autocannon({ url, connections, duration: seconds, requests: requests.slice(0, 1), setupClient })
  return {
    requests: result.requests.total,
    failed: result.non2xx + result.errors + result.timeouts,
    seconds: result.duration,
    p99Milliseconds: result.latency.p99
  }
}
