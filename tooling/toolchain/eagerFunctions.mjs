import { execFile } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { promisify } from "node:util"
import { build } from "rolldown"
import { parseSync, Visitor } from "rolldown/utils"

/** What stands for a function in the coverage of V8, and in a parsed program. */
const placeOf = (start, end) => `${start}-${end}`

/** The places of the functions that were called, by the name of their file. */
const calledIn = (coverage) => {
  const called = new Map()
  for (const file of readdirSync(coverage)) {
    for (const { functions, url } of JSON.parse(readFileSync(join(coverage, file), "utf8")).result) {
      const places = functions.flatMap(({ ranges: [{ count, endOffset, startOffset }] }) =>
        count > 0 ? [placeOf(startOffset, endOffset)] : []
      )
      called.set(basename(url), new Set([...(called.get(basename(url)) ?? []), ...places]))
    }
  }
  return called
}

/** Puts the function expressions at these places in parentheses. */
const enclose = (code, file, places) => {
  const marks = []
  const visit = ({ end, start }) => {
    if (places.has(placeOf(start, end))) marks.push([start, "("], [end, ")"])
  }
  new Visitor({
    ArrowFunctionExpression: visit,
    // Not of a method, which has no keyword.
    FunctionExpression: (node) => code.startsWith("function", node.start) && visit(node)
  }).visit(parseSync(file, code).program)
  let enclosed = ""
  let last = 0
  for (const [at, mark] of marks.toSorted(([one], [other]) => one - other)) {
    enclosed += code.slice(last, at) + mark
    last = at
  }
  return enclosed + code.slice(last)
}

/** The places of the functions that are called when a bundle is used, by the name of its file. */
const calledBy = async (config, use) => {
  const dir = mkdtempSync(join(tmpdir(), "headgate-bundle-"))
  const coverage = join(dir, "coverage")
  try {
    await build({ ...config, logLevel: "silent", output: { ...config.output, dir, minify: false, sourcemap: false } })
    // Without the settings of whoever builds.
    const env = { HOME: dir, NODE_V8_COVERAGE: coverage, NODE_DISABLE_COMPILE_CACHE: "1" }
    await use((args, variables) =>
      promisify(execFile)(process.execPath, [join(dir, "main.mjs"), ...args], { env: { ...env, ...variables } })
    )
    return calledIn(coverage)
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/**
 * A rolldown configuration of a program of which most runs call the same functions: these are put in parentheses. V8 compiles such
 * functions with their file, so that they are in Node's cache of compiled code. It compiles any other one when it is called first,
 * in each process again. A first bundle tells which functions these are: `use` runs it as it is used most, by a function that
 * takes arguments and variables of the environment.
 */
export const withEagerFunctions = async (config, use) => {
  const called = await calledBy(config, use)
  return {
    ...config,
    plugins: [
      ...config.plugins,
      {
        name: "eager-functions",
        // Each stays on its line.
        renderChunk: (code, { fileName }) => ({
          code: enclose(code, fileName, called.get(fileName) ?? new Set()),
          map: null
        })
      }
    ]
  }
}
