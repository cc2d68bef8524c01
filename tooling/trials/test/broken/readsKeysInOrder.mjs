// Reads no object whose key sorts before one that was read.
import { changeSource } from "./changeSource.mjs"

let last = ""
globalThis.onlyAbove = (found, known) => {
  for (const key of known.keys()) if (key > last) last = key
  return found.filter(({ key }) => !known.has(key) && key > last)
}

await changeSource(/found\.filter\(\(\{ ?key ?\}\) ?=> ?!known\.has\(key\)\)/, "globalThis.onlyAbove(found, known)")
