import autocannon from "autocannon"
import { execFile, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
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

type Load = (url: string, scenario: Scenario, seconds: number) => Promise<LoadResult>

const headersOf = (authorization: string, body: string | undefined) => ({
  accept: "application/json",
  authorization,
  ...(body === undefined ? {} : { "content-type": "application/json" })
})

const loadByAutocannon: Load = async (url, { body, method, targets }, seconds) => {
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

/** A script for wrk that builds all requests before it sends the first. */
const luaOf = ({ body, method, targets }: Scenario): string => `
local body = ${body === undefined ? "nil" : JSON.stringify(body)}
local targets = { ${targets.map((target) => `{ ${JSON.stringify(target.path)}, ${JSON.stringify(target.authorization)} }`).join(", ")} }
local requests, at = {}, 0
function init()
  for index, target in ipairs(targets) do
    local headers = { ["Authorization"] = target[2], ["Accept"] = "application/json" }
    if body then headers["Content-Type"] = "application/json" end
    requests[index] = wrk.format("${method}", target[1], headers, body)
  end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('\\nRESULT {"requests":%d,"failed":%d,"seconds":%f,"p99Milliseconds":%f}\\n', summary.requests,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout, summary.duration / 1e6,
    latency:percentile(99) / 1e3))
end
`

/** wrk with one thread: it uses one core at most. */
const loadByWrk: Load = async (url, scenario, seconds) => {
  const directory = mkdtempSync(join(tmpdir(), "headgate-wrk-"))
  const script = join(directory, "load.lua")
  writeFileSync(script, luaOf(scenario))
  const args = ["-t1", "--timeout=10s", `-c${connections}`, `-d${seconds}s`, `-s${script}`, url]
  const { stdout } = await promisify(execFile)("wrk", args)
  rmSync(directory, { recursive: true })
  const result = /^RESULT (.*)$/m.exec(stdout)?.[1]
  if (result === undefined) throw new Error(`the output of wrk has no result: ${stdout}`)
  return JSON.parse(result) as LoadResult // as the script above writes it
}

const hasWrk = spawnSync("which", ["wrk"]).status === 0

/** wrk if it is installed, because it leaves more of the machine to the servers; else autocannon. */
export const loadGenerator = hasWrk ? "wrk" : "autocannon"
export const load: Load = hasWrk ? loadByWrk : loadByAutocannon
