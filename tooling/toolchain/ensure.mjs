// Brings node_modules in step with pnpm-lock.yaml. Plain JavaScript without dependencies: it runs before anything is
// installed, and on the machine's own Node.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const windows = process.platform === "win32"
const workspaceFolders = ["packages", "apps", "tooling"]

export const bin = (root, name) => join(root, "node_modules", ".bin", windows ? `${name}.CMD` : name)

const stampFile = (root) => join(root, "node_modules", ".headgate-stamp")

const manifests = (root) =>
  workspaceFolders.flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder))
          .map((name) => join(folder, name, "package.json"))
          .filter((path) => existsSync(join(root, path)))
          .toSorted()
      : []
  )

/** One hash over all that decides what an install puts in place. */
export const fingerprint = (root) => {
  const hash = createHash("sha256").update(`${process.platform}-${process.arch}\0`)
  for (const path of ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json", ...manifests(root)]) {
    hash.update(`${path}\0`)
    if (existsSync(join(root, path))) hash.update(readFileSync(join(root, path)))
    hash.update("\0")
  }
  return hash.digest("hex")
}

const isCurrent = (root, wanted) =>
  existsSync(bin(root, "node")) && existsSync(stampFile(root)) && readFileSync(stampFile(root), "utf8") === wanted

export const pinnedPnpm = (root) => {
  const { packageManager = "" } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const match = /^pnpm@(\d+\.\d+\.\d+)/.exec(packageManager)
  if (match === null) throw new Refusal('package.json does not pin pnpm: "packageManager" wants the form pnpm@1.2.3')
  return match[1]
}

/** A reason not to go on that a person can act on: printed as one line, without a stack. */
export class Refusal extends Error {}

const reasons = [
  [
    /ERR_PNPM_OUTDATED_LOCKFILE|ERR_PNPM_LOCKFILE_CONFIG_MISMATCH|lockfile.*(not up to date|out of date)/i,
    (pnpm) =>
      `pnpm-lock.yaml is out of step with a package.json: run \`npx pnpm@${pnpm} install --no-frozen-lockfile\` and commit the lock file`
  ],
  [/ERR_PNPM_NO_LOCKFILE/, () => "pnpm-lock.yaml is missing: restore it from version control"],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_PNPM_META_FETCH_FAIL|fetch failed|dns error|error sending request|error trying to connect/i,
    () => "the package registry could not be reached: check the network or the proxy, then try again"
  ],
  [/ENOSPC|no space left/i, () => "the disk is full"],
  [/EACCES|EPERM|permission denied/i, () => "files could not be written: check who owns node_modules"],
  [
    /ERR_PNPM_TARBALL_INTEGRITY|EINTEGRITY/,
    () => "a downloaded package is not the one pnpm-lock.yaml names: do not go on before you know why"
  ]
]

/** Why an install failed, in a sentence, from what pnpm (or npx) printed. */
export const explain = (output, pnpm, code) => {
  const reason = reasons.find(([pattern]) => pattern.test(output))
  return reason === undefined ? `pnpm ${pnpm} could not install the dependencies (exit code ${code})` : reason[1](pnpm)
}

const sleep = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === "EPERM"
  }
}

// Outside node_modules, which pnpm may empty. A lock whose owner is gone is nobody's.
const locked = (root, use) => {
  const lock = join(tmpdir(), `headgate-install-${createHash("sha256").update(root).digest("hex").slice(0, 16)}.lock`)
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" })
      break
    } catch (error) {
      if (error.code !== "EEXIST") throw error
    }
    let owner = Number.NaN
    try {
      owner = Number(readFileSync(lock, "utf8") || Number.NaN)
    } catch {
      continue
    }
    if (Number.isInteger(owner) && !isAlive(owner)) rmSync(lock, { force: true })
    else sleep(200)
  }
  try {
    return use()
  } finally {
    rmSync(lock, { force: true })
  }
}

const install = (root) => {
  const pnpm = pinnedPnpm(root)
  process.stderr.write(`headgate: installing dependencies with pnpm ${pnpm} (first run, or they changed)\n`)
  const result = spawnSync("npx", ["--yes", `pnpm@${pnpm}`, "install", "--frozen-lockfile"], {
    cwd: root,
    shell: windows,
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, CI: "true" }
  })
  if (result.error?.code === "ENOENT") throw new Refusal("npx was not found: install npm, which brings it")
  if (result.error !== undefined) throw new Refusal(`npx could not be started: ${result.error.message}`)
  if (result.signal !== null) throw new Refusal(`the installation was stopped by ${result.signal}`)
  if (result.status !== 0) {
    process.stderr.write(result.stdout + result.stderr)
    throw new Refusal(explain(result.stdout + result.stderr, pnpm, result.status))
  }
  if (!existsSync(bin(root, "node"))) {
    process.stderr.write(result.stdout + result.stderr)
    throw new Refusal(
      "the install script of the npm package `node` left no Node behind: is `npm` able to reach its registry?"
    )
  }
}

/** Installs when the lock file, the workspace file or a manifest changed since the last time, else does nothing. */
export const ensure = (root) => {
  const major = Number(process.versions.node.split(".")[0])
  if (major < 20) throw new Refusal(`needs Node 20 or newer to start, this is ${process.versions.node}`)
  if (isCurrent(root, fingerprint(root))) return
  locked(root, () => {
    const wanted = fingerprint(root)
    if (isCurrent(root, wanted)) return
    install(root)
    mkdirSync(join(root, "node_modules"), { recursive: true })
    writeFileSync(stampFile(root), wanted)
  })
}
