import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Metrics } from "../observability/Metrics.ts"
import { Primary } from "./Primary.ts"

/**
 * Puts the metrics of several processes into one text: a family's lines must stand together, under one TYPE. The lines
 * themselves differ by the label that names the process.
 */
export const mergeMetrics = (texts: ReadonlyArray<string>): string => {
  const families = new Map<string, { readonly head: ReadonlyArray<string>; readonly lines: Array<string> }>()
  for (const text of texts) {
    // A family begins with its HELP; the last piece before the first one is empty.
    for (const family of text.split(/^(?=# HELP )/m)) {
      const lines = family.split("\n").filter((line) => line !== "")
      const head = lines.filter((line) => line.startsWith("# "))
      const name = head[0]
      if (name === undefined) continue
      const known = families.get(name) ?? { head, lines: [] }
      known.lines.push(...lines.filter((line) => !line.startsWith("# ")))
      families.set(name, known)
    }
  }
  return Array.from(families.values(), ({ head, lines }) => `${[...head, ...lines].join("\n")}\n`).join("")
}

/** The metrics of a worker, which tell those of all: whichever of them is asked. */
export const metricsOfAll = <E, R>(own: Layer.Layer<Metrics, E, R>) =>
  Layer.effect(
    Metrics,
    Effect.gen(function* () {
      const metrics = yield* Metrics
      const primary = yield* Primary
      yield* primary.onTellMetrics(metrics.text)
      return {
        ...metrics,
        // Some figures are better than none.
        text: primary.ask({ _tag: "Metrics" }).pipe(
          Effect.map(({ text }) => text),
          Effect.catch(() => metrics.text)
        )
      }
    })
  ).pipe(Layer.provide(own))
