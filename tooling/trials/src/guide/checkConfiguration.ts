import { say, type Verdict } from "@headgate/harness/Verdict"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { Step } from "./Step.ts"

type File = Extract<Step, { readonly _tag: "Write" }>

interface Check {
  readonly tool: string
  readonly args: (path: string, root: string) => ReadonlyArray<string>
}

/** nginx reads a complete configuration; the file of the guide is a part of one. */
const wholeNginx = (path: string, root: string): string => {
  const whole = join(root, "run", "nginx.conf")
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${root}/run/nginx-${name};`)
    .join(" ")
  // Only root may listen on the port of https.
  writeFileSync(
    `${path}.unprivileged`,
    readFileSync(path, "utf8").replace("listen 443", `listen unix:${root}/run/nginx.sock`)
  )
  writeFileSync(
    whole,
    `pid ${root}/run/nginx.pid; error_log stderr; events {} http { access_log off; ${temporary} include ${path}.unprivileged; }\n`
  )
  return whole
}

const checks: ReadonlyArray<readonly [file: RegExp, check: Check]> = [
  [/\/systemd\/system\/.*\.service$/, { tool: "systemd-analyze", args: (path) => ["verify", path] }],
  [/\/nginx\//, { tool: "nginx", args: (path, root) => ["-t", "-c", wholeNginx(path, root)] }],
  [/\/haproxy\.cfg$/, { tool: "haproxy", args: (path) => ["-c", "-f", path] }],
  [/\/prometheus\.yml$/, { tool: "promtool", args: (path) => ["check", "config", path] }],
  [/\/headgate-rules\.yml$/, { tool: "promtool", args: (path) => ["check", "rules", path] }]
]

/** Has the guide's files checked by the tools that read them, if they are installed. Returns how many were checked. */
export const checkConfiguration = (files: ReadonlyArray<File>, root: string, verdict: Verdict): number => {
  let checked = 0
  for (const { line, path } of files) {
    const check = checks.find(([file]) => file.test(path))?.[1]
    if (check === undefined) continue
    const here = join(root, path)
    if (!existsSync(here)) continue
    if (path.endsWith("haproxy.cfg")) {
      const pem = ["cert", "key"].map((name) =>
        readFileSync(join(root, "etc", "headgate", "tls", `${name}.pem`), "utf8")
      )
      writeFileSync(join(dirname(here), "headgate.pem"), pem.join(""))
    }
    mkdirSync(join(root, "run"), { recursive: true })
    const { error, status, stderr, stdout } = spawnSync(check.tool, check.args(here, root), { encoding: "utf8" })
    if (error !== undefined) {
      say(`${basename(path)} was not checked: ${check.tool} is not installed`)
      continue
    }
    checked++
    verdict.hold(
      status === 0,
      `docs/operators-guide.md:${line}: ${check.tool} rejects ${basename(path)}: ${stdout}${stderr}`
    )
  }
  return checked
}
