import autocannon from "autocannon"
import type { Load } from "./Load.ts"

/** autocannon in this process: for machines without wrk. It takes more of the machine than the servers do. */
export const loadByAutocannon: Load = async ({ connections, scenario, seconds, url }) => {
  const { body, method, targets } = scenario
  let at = 0
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [
      {
        method,
        ...(body === undefined ? {} : { body }),
        setupRequest: (request) => {
          const target = targets[at++ % targets.length]
          return {
            ...request,
            ...(target === undefined ? {} : { path: target.path }),
            headers: {
              accept: "application/json",
              authorization: target?.authorization,
              ...(body === undefined ? {} : { "content-type": "application/json" })
            }
          }
        }
      }
    ]
  })
  return {
    requests: result.requests.total,
    failed: result.non2xx + result.errors + result.timeouts,
    seconds: result.duration,
    p99Milliseconds: result.latency.p99
  }
}
