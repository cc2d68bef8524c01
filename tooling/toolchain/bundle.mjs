import { readFileSync, rmSync } from "node:fs"
import { isBuiltin } from "node:module"
import { fileURLToPath } from "node:url"
import { defineConfig } from "rolldown"
import { parseSync, Visitor } from "rolldown/utils"
import { notices } from "./notices.mjs"
import { site } from "./site.mjs"

const constants = [
  // On Node the first `TextDecoder` loads all of `fetch`, which is half of what the import of a client costs.
  [
    /^(const \w+ = )\/\*\s*#__PURE__\*\/\s*new TextDecoder\(([^)]*)\);$/gm,
    "$1{ decode: (bytes) => new TextDecoder($2).decode(bytes) };"
  ],
  // The tables of Unicode: text in ASCII is measured without them.
  [
    /^(const \w+ = )\/\*\s*#__PURE__\*\/\s*new Intl\.Segmenter\(([^)]*)\);$/gm,
    "$1{ segment: (text) => new Intl.Segmenter($2).segment(text) };"
  ],
  // TLS, for a request over plain http.
  [
    /^(export const https = )\/\*\s*#__PURE__\*\/\s*require\("node:https"\);$/gm,
    '$1{ request: (...args) => require("node:https").request(...args), get Agent() { return require("node:https").Agent } };'
  ],
  // Web Crypto, for a request that needs no key of its own.
  [
    /^(\s*defaultValue: \(\) => )globalThis\.crypto$/gm,
    "$1({ getRandomValues: (bytes) => globalThis.crypto.getRandomValues(bytes), get subtle() { return globalThis.crypto.subtle } })"
  ]
]

/** Makes constants of effect that take long to make where they are used, not when their module is loaded. */
const lazyConstants = () => ({
  name: "lazy-constants",
  transform: {
    filter: {
      id: /\/node_modules\/@?effect\//,
      code: /new (?:TextDecoder|Intl\.Segmenter)\(|require\("node:https"\)|=> globalThis\.crypto$/m
    },
    // Each stays on its line.
    handler: (code) => ({
      code: constants.reduce((code, [constant, lazy]) => code.replaceAll(constant, lazy), code),
      map: null
    })
  }
})

/**
 * Takes the modules of Node as `require` does. An `import` reads every property of a module, and with it loads what some of them
 * stand for: all of `fetch` for `node:http`, worker threads for `node:util`. A dynamic import is left alone, and `node:module`,
 * which the bundler's own code imports.
 */
const builtins = () => ({
  name: "builtins",
  resolveId: (id, _, { kind }) =>
    isBuiltin(id) && id !== "node:module" && kind !== "dynamic-import"
      ? { id: `\0${id}`, moduleSideEffects: false }
      : undefined,
  load: {
    filter: { id: /^\0/ },
    handler: (id) =>
      isBuiltin(id.slice(1)) ? `module.exports = process.getBuiltinModule(${JSON.stringify(id.slice(1))})` : undefined
  }
})

const isText = (node) =>
  (node?.type === "Literal" && typeof node.value === "string") ||
  node?.type === "TemplateLiteral" ||
  (node?.type === "BinaryExpression" && node.operator === "+")

/** The texts of a module that describe schemas: in annotations, and the last argument of a field. */
const descriptionsIn = (program) => {
  const found = []
  new Visitor({
    CallExpression: ({ arguments: given, callee }) => {
      const name = callee.type === "MemberExpression" ? callee.property.name : callee.name
      if (["nullish", "withIdentifier"].includes(name) && isText(given[1])) found.push(given[1])
      if (!["annotate", "annotateEncoded", "annotateKey"].includes(name)) return
      for (const { key, value } of given[0]?.properties ?? []) {
        if (key?.name === "description" && isText(value)) found.push(value)
      }
    }
  }).visit(program)
  return found
}

/** Leaves out what the schemas of our packages say of their fields: documents need it, and the declarations have it. */
const withoutDescriptions = () => ({
  name: "without-descriptions",
  transform: {
    filter: { id: /\/packages\/(?:core|http-contract|client)\/(?:src|dist)\// },
    handler: (code, id) => {
      let kept = code
      const last = descriptionsIn(parseSync(id, code).program).toSorted((one, other) => other.start - one.start)
      for (const { end, start } of last) {
        kept = `${kept.slice(0, start)}""${kept.slice(end)}`
      }
      return kept
    }
  }
})

/** The calls of a module that run when it is loaded, in the order of the text: those of its constants, classes and static fields. */
const loadedCallsIn = (program) => {
  const found = []
  let depth = 0
  const add = (node) => {
    if (depth === 0) found.push(node.start)
  }
  const enter = () => {
    depth += 1
  }
  const leave = () => {
    depth -= 1
  }
  new Visitor({
    CallExpression: add,
    NewExpression: add,
    // A statement that is a call is there for what it does.
    ExpressionStatement: enter,
    "ExpressionStatement:exit": leave,
    ArrowFunctionExpression: enter,
    "ArrowFunctionExpression:exit": leave,
    FunctionExpression: enter,
    "FunctionExpression:exit": leave,
    FunctionDeclaration: enter,
    "FunctionDeclaration:exit": leave
  }).visit(program)
  return [...new Set(found)].toSorted((one, other) => one - other)
}

/**
 * Says of each call of our packages that runs when its module is loaded that it may be left out if its value is not used: their
 * modules only define what they export. The bundler of a page leaves out what the page does not use.
 */
const pureCalls = () => ({
  name: "pure-calls",
  transform: {
    filter: { id: /\/packages\/[^/]+\/(?:src|dist)\// },
    handler: (code, id) => {
      let marked = ""
      let end = 0
      for (const start of loadedCallsIn(parseSync(id, code).program)) {
        marked += `${code.slice(end, start)}/*#__PURE__*/ `
        end = start
      }
      return { code: marked + code.slice(end), map: null }
    }
  }
})

/** Removes the parts of an earlier build: their names change with the sources, and the package has all files of the folder. */
const withoutOldParts = () => ({
  name: "without-old-parts",
  buildStart: () => rmSync("dist/part", { recursive: true, force: true })
})

/**
 * The rolldown configuration of a library without dependencies, given its entry points by the path of their file in `dist`
 * without `.js`. What all of them share is in `part/shared.js`, and what some of them share in files beside it: the bundler of
 * a page leaves out files that its entry point does not need, but not each statement of one that it needs. It runs wherever
 * there is `fetch`. It is not minified: a stack trace shows lines that can be read, without source maps of four times the size,
 * and the bundler of a page minifies it.
 */
export const bundleLibrary = (input) =>
  defineConfig({
    input,
    platform: "neutral",
    plugins: [withoutOldParts(), lazyConstants(), withoutDescriptions(), pureCalls(), notices()],
    output: {
      dir: "dist",
      entryFileNames: "[name].js",
      chunkFileNames: "part/[name].js",
      codeSplitting: { groups: [{ name: "shared", minShareCount: Object.keys(input).length }] },
      cleanDir: false,
      format: "esm",
      // Bundlers need the annotations: they tell which calls may be left out.
      comments: { annotation: true, jsdoc: false, legal: true }
    }
  })

/**
 * The rolldown configuration of an app, given the URL of its rolldown.config.mjs. The bundle contains every dependency:
 * one file starts in half the time of many, and installs without a package manager. It is minified, but keeps the names
 * of functions for stack traces. With `codeSplitting`, each dynamic import gets a file of its own beside `main.mjs`;
 * `sharedBy` says by how many of them a module must be used to stand in `part-shared.mjs`, which all of these load. The licences of the bundled packages are written beside it too. `name` is that of the entry point in `src`, and of its bundle.
 * `without` names packages that a dependency can import and the app does not use. `external` names modules that are not
 * bundled: who uses them installs their package. `alias` replaces a module by another one. `requiresBuiltins`
 * takes the modules of Node as `require` does, for a program that ends soon. `sites` names built sites that the app serves: the
 * folder of each, by the folder of `dist` into which it is copied.
 */
export const bundle = (
  configUrl,
  {
    alias = {},
    codeSplitting = false,
    external = [],
    name = "main",
    requiresBuiltins = false,
    sharedBy,
    sites = {},
    without = []
  } = {}
) => {
  const { version } = JSON.parse(readFileSync(new URL("package.json", configUrl), "utf8"))
  return defineConfig({
    input: `src/${name}.ts`,
    platform: "node",
    external,
    plugins: [
      lazyConstants(),
      requiresBuiltins && builtins(),
      notices(Object.values(sites)),
      ...Object.entries(sites).map(([name, from]) => site(from, fileURLToPath(new URL(`dist/${name}`, configUrl))))
    ],
    resolve: { alias: { ...alias, ...Object.fromEntries(without.map((unused) => [unused, false])) } },
    transform: { define: { HEADGATE_VERSION: JSON.stringify(version) } },
    output: {
      dir: "dist",
      entryFileNames: "[name].mjs",
      chunkFileNames: "part-[name].mjs",
      cleanDir: false,
      format: "esm",
      // Everything that is loaded at the start goes into main.mjs, even if a dynamically imported file needs it too.
      codeSplitting: codeSplitting && {
        groups: [
          { name: "start", tags: ["$initial"] },
          ...(sharedBy === undefined ? [] : [{ name: "shared", minShareCount: sharedBy }])
        ]
      },
      minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
      sourcemap: true
    }
  })
}
