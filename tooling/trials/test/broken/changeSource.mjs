// Starts the built server with some of its source changed.
import { registerHooks } from "node:module"
import { pathToFileURL } from "node:url"

const built = new URL("../../../../apps/server/bin/headgate-server.mjs", import.meta.url)

/** Replaces what `pattern` finds in the modules that are loaded from now on. */
const replaceInModules = (pattern, replacement) => {
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context)
      if (!url.startsWith("file:") || loaded.source === undefined || loaded.source === null) return loaded
      return { ...loaded, source: loaded.source.toString().replace(pattern, replacement) }
    }
  })
}

/** Replaces what `pattern` finds in the modules of the server, which are built without names being shortened. */
export const changeSource = async (pattern, replacement) => {
  replaceInModules(pattern, replacement)
  await import((process.env.TRIAL_SERVER === undefined ? built : pathToFileURL(process.env.TRIAL_SERVER)).href)
}

/** Starts the server with several such changes. */
export const changeServer = async (...changes) => {
  for (const [pattern, replacement] of changes.slice(1)) replaceInModules(pattern, replacement)
  await changeSource(...changes[0])
}

/** Starts a mover of `trial:store` with such changes. */
export const changeMover = async (...changes) => {
  for (const [pattern, replacement] of changes) replaceInModules(pattern, replacement)
  await import("../../src/store/mover.main.ts")
}
