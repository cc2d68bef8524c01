// Loaded by a server before its own modules: lets it find the package "chdb" in the folder that HEADGATE_ENGINE names.
import { createRequire, registerHooks } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

const { resolve } = createRequire(join(process.env["HEADGATE_ENGINE"] ?? "", "chdb.cjs"))

// Before the hook, which would be asked for them.
const found = new Map(["chdb", "chdb/connection"].map((name) => [name, pathToFileURL(resolve(name)).href]))

registerHooks({
  resolve: (specifier, context, next) => {
    const url = found.get(specifier)
    return url === undefined ? next(specifier, context) : { url, shortCircuit: true }
  }
})
