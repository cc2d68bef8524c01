const prefix = "\0builtin:"

/**
 * Takes Node's own modules from `process.getBuiltinModule`. Imported as ES modules each gets a facade first, which reads
 * all that it exports: `node:http` alone then loads a whole HTTP client that nobody asked for, a tenth of a start.
 */
export const builtins = () => ({
  name: "builtins",
  resolveId: {
    // Not node:module: what the bundler itself puts before everything else imports it.
    filter: { id: /^node:(?!module$)/ },
    handler: (id) => `${prefix}${id}`
  },
  load: {
    filter: { id: /^\0builtin:/ },
    handler: (id) => `module.exports = process.getBuiltinModule(${JSON.stringify(id.slice(prefix.length))})`
  }
})
