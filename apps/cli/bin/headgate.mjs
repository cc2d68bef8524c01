#!/usr/bin/env node
const main = new URL("../dist/main.mjs", import.meta.url)
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

const refuse = (why) => {
  process.stderr.write(`headgate: ${why}\n`)
  process.exit(1)
}

if (major < 22 || (major === 22 && minor < 19)) refuse(`needs Node 22.19 or newer, this is ${process.versions.node}`)
// Not by `import`, which reads every property of a module, and loads what some of them stand for.
const { getBuiltinModule } = process
if (!getBuiltinModule("node:fs").existsSync(main)) refuse("not built yet: run `npm run build`")
getBuiltinModule("node:module").enableCompileCache?.()

const args = process.argv.slice(2)
// What answers a command line without loading the commands, if it can.
const answering = () => {
  if (/^(--help|-h|--version|-v)$/.test(args.at(-1) ?? "")) return import("../dist/help.mjs")
  return /^(complete|completion)$/.test(args[0] ?? "") ? import("../dist/complete.mjs") : undefined
}
const isAnswered = (await answering())?.answer(args) ?? false
if (!isAnswered) await import(main.href)
