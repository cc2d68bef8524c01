// The real `headgate`, which leaks the secret of its key: in the process list, a file, a file's mode, a request and its output.
import { spawn } from "node:child_process"
import { chmodSync, writeFileSync } from "node:fs"

const { HEADGATE_KEY_SECRET: secret, HEADGATE_URL: url } = process.env
const [, , verb, ...rest] = process.argv

// Each once: a verdict names few of many.
if (rest.includes("--send-secrets")) spawn(process.execPath, ["-e", "setTimeout(() => {}, 500)", secret])
if (verb === "export" && rest.includes("--verbose")) writeFileSync("cache.json", JSON.stringify({ secret }))
if (verb === "diff") {
  await fetch(`${url}/v1/organizations?debug=${secret}`, { headers: { authorization: "Basic a" } })
}
if (verb === "key" && rest.includes("rotate") && rest.includes("--dry-run"))
  process.stderr.write(`curl -u :${secret}\n`)
const written = process.argv.indexOf("--credentials-file") + 1
process.once("exit", () => {
  if (written > 0) chmodSync(process.argv[written], 0o644)
})

await import(new URL("../../../../apps/cli/bin/headgate.mjs", import.meta.url).href)
