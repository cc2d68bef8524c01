import { relativeImports } from "./importGraph.ts"
import type { Source } from "./Source.ts"

/** A shortest path of imports from a file back to itself; `undefined` if there is none. */
const circleThrough = (start: string, imports: ReadonlyMap<string, ReadonlyArray<string>>) => {
  const importedBy = new Map<string, string>()
  const queue = [start]
  for (const file of queue) {
    for (const imported of imports.get(file) ?? []) {
      if (imported === start) {
        const path = [start]
        for (let step = file; step !== start; step = importedBy.get(step) ?? start) path.unshift(step)
        return [start, ...path]
      }
      if (!importedBy.has(imported)) {
        importedBy.set(imported, file)
        queue.push(imported)
      }
    }
  }
  return undefined
}

/** Every import circle, one for each set of files, as `a.ts -> b.ts -> a.ts`. Type imports count. */
export const circles = (sources: Iterable<Source>): ReadonlyArray<string> => {
  const imports = new Map<string, Array<string>>()
  for (const { from, to } of relativeImports(sources)) imports.set(from, [...(imports.get(from) ?? []), to])
  const found = new Map<string, string>()
  for (const file of imports.keys()) {
    const circle = circleThrough(file, imports)
    if (circle === undefined) continue
    const key = Array.from(new Set(circle)).toSorted().join()
    if (!found.has(key)) found.set(key, circle.join(" -> "))
  }
  return Array.from(found.values())
}
