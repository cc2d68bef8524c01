// The engine of `npm start -- --demo`: the npm package "chdb", which the server uses where it is there. It is installed into a folder of
// its own, after a question, because it is large.
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { createInterface } from "node:readline/promises"
import { Refusal } from "./ensure.mjs"

const size = "about 540 MB"

/** The version that the server wants at least. */
const wantedVersion = (root) => {
  const { peerDependencies } = JSON.parse(readFileSync(join(root, "apps", "server", "package.json"), "utf8"))
  return peerDependencies.chdb.replace(/^\^/, "")
}

/** Whether npm has come to its end: it writes the list of what it has installed last. */
const isInstalled = (folder) =>
  ["chdb", ".package-lock.json"].every((name) => existsSync(join(folder, "node_modules", name)))

const ask = async (question) => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  // At the end of the input there is no answer.
  const ended = new Promise((resolve) => terminal.once("close", () => resolve("n")))
  const answer = await Promise.race([terminal.question(`${question} [Y/n] `), ended])
  terminal.close()
  return /^(y|yes|)$/i.test(answer.trim())
}

const npmInstall = (folder, name) =>
  new Promise((resolve, reject) => {
    const args = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--save-exact", name]
    const npm = spawn("npm", args, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] })
    npm.once("error", (error) => reject(new Refusal(`npm could not be started: ${error.message}`)))
    npm.once("close", (code) => {
      if (code === 0) return resolve()
      reject(new Refusal(`npm could not install ${name}, see above. To try again, type the same command`))
    })
  })

/**
 * The folder with the engine, which is installed there if it is not yet: `.headgate/engine`, or that of HEADGATE_CHDB. Says first what it
 * does; `yes` answers the question.
 */
export const ensureEngine = async ({ root, say, yes }) => {
  const folder = process.env["HEADGATE_CHDB"] || join(root, ".headgate", "engine")
  if (isInstalled(folder)) return folder
  if (!["darwin", "linux"].includes(process.platform)) {
    throw new Refusal("--demo needs the ClickHouse engine for Node, which runs on Linux with glibc and on macOS")
  }
  const name = `chdb@${wantedVersion(root)}`
  const what = `The demo needs the ClickHouse engine for Node: ${name}, ${size}, into ${relative(root, folder) || folder}.`
  if (!yes && !process.stdin.isTTY) {
    throw new Refusal(`${what} To install it without a question, type: npm start -- --demo --yes`)
  }
  say(what)
  if (!yes && !(await ask("Install it?"))) throw new Refusal("the demo needs its engine: nothing was installed")
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Without it npm would look for a project above.
  if (!existsSync(join(folder, "package.json"))) {
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n')
  }
  await npmInstall(folder, name)
  return folder
}
