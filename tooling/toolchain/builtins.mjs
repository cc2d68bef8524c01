import { builtinModules } from "node:module"

const prefix = "\0builtin:"

// What is a function or a class itself is loaded at once: whoever requires it may call it.
const atOnce = (id) => `module.exports = process.getBuiltinModule(${JSON.stringify(id)})`

// Functions are kept, as any importer would. All else is asked for each time: it may be a getter, as `process.stdout` is.
const whenUsed = (id, names) => `
  for (const name of ${JSON.stringify(names)}) {
    Object.defineProperty(exports, name, {
      configurable: true,
      enumerable: true,
      get: () => {
        const value = process.getBuiltinModule(${JSON.stringify(id)})[name]
        if (typeof value === "function") Object.defineProperty(exports, name, { value, enumerable: true })
        return value
      }
    })
  }
`

// Requires both at once by itself, to be spared the facade.
const ownRequire = /@effect[\\/]platform-node[\\/]dist[\\/]internal[\\/]http\.js$/

/**
 * Takes Node's own modules from `process.getBuiltinModule`, each when something of it is used for the first time.
 * Imported as ES modules they are all loaded at the start, needed or not, and each gets a facade first, which reads all
 * that it exports: `node:http` alone then loads a whole HTTP client that nobody asked for, a tenth of a start.
 */
export const builtins = () => ({
  name: "builtins",
  resolveId: {
    // Not node:module: what the bundler itself puts before everything else imports it.
    filter: { id: new RegExp(`^(?:node:)?(?:${builtinModules.filter((id) => id !== "module").join("|")})$`) },
    handler: (id) => `${prefix}${id}`
  },
  load: {
    filter: { id: [/^\0builtin:/, ownRequire] },
    handler: (prefixed) => {
      if (ownRequire.test(prefixed)) return `export * as http from "node:http"\nexport * as https from "node:https"`
      const id = prefixed.slice(prefix.length)
      const builtin = process.getBuiltinModule(id)
      return typeof builtin === "function" ? atOnce(id) : whenUsed(id, Object.keys(builtin))
    }
  }
})
