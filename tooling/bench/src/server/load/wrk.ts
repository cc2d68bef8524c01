import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import type { Scenario } from "../Scenario.ts"
import type { Answered, Load } from "./Load.ts"

const run = promisify(execFile)

const quoted = (text: string): string => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`

/** wrk's own language: every request is made before the first is sent. */
const luaOf = ({ body, method, targets }: Scenario): string => `
local requests = {}
local body = ${body === undefined ? "nil" : quoted(body)}
local targets = {
${targets.map(({ authorization, path }) => `  { ${quoted(path)}, ${quoted(authorization)} }`).join(",\n")}
}
local at = 0

function init(args)
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
  io.write(string.format('\\nANSWERED {"requests":%d,"failed":%d,"seconds":%f,"p99Milliseconds":%f}\\n',
    summary.requests, errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    summary.duration / 1e6, latency:percentile(99) / 1e3))
end
`

/** wrk with one thread, so that it takes one core at most. */
export const loadByWrk = (directory: string): Load => {
  const scripts = new Map<string, string>()
  const scriptOf = (scenario: Scenario): string => {
    const held = scripts.get(scenario.name)
    if (held !== undefined) return held
    const script = join(directory, `${scenario.name.replaceAll(" ", "-")}.lua`)
    writeFileSync(script, luaOf(scenario))
    scripts.set(scenario.name, script)
    return script
  }
  return async ({ connections, scenario, seconds, url }) => {
    const { stdout } = await run("wrk", [
      "-t1",
      "--timeout=10s",
      `-c${connections}`,
      `-d${seconds}s`,
      `-s${scriptOf(scenario)}`,
      url
    ])
    const answered = /^ANSWERED (.*)$/m.exec(stdout)?.[1]
    if (answered === undefined) throw new Error(`wrk said nothing that can be read: ${stdout}`)
    return JSON.parse(answered) as Answered // written by the script above
  }
}
