#!/usr/bin/env node
const main = new URL("../dist/main.mjs", import.meta.url)
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

const refuse = (why) => {
  process.stderr.write(`headgate-server: ${why}\n`)
  process.exit(1)
}

if (major < 22 || (major === 22 && minor < 19)) refuse(`needs Node 22.19 or newer, this is ${process.versions.node}`)
// Not imported: an import of a module of Node's reads all that it exports, which takes as long as it loads.
if (!process.getBuiltinModule("node:fs").existsSync(main)) refuse("not built yet: run `npm run build`")
const args = process.argv.slice(2)
// What answers a command line without loading the server, if it can.
const isAnswered = args[0] === "health" && (await (await import("../dist/health.mjs")).answer(args))
const { enableCompileCache, flushCompileCache } = process.getBuiltinModule("node:module")
enableCompileCache?.()
if (!isAnswered) await import(main.href)
// A process that is killed would leave nothing to the next start: what has run by then is in the cache from here on.
setTimeout(() => flushCompileCache?.(), 1000).unref()
