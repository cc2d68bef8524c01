/**
 * Merges the metrics of several processes, each in the Prometheus text format: all lines of one metric must follow its
 * one HELP and TYPE. The `worker` label keeps the series of the processes apart.
 */
export const mergeMetrics = (texts: ReadonlyArray<string>): string => {
  const metrics = new Map<string, { readonly head: ReadonlyArray<string>; readonly series: Array<string> }>()
  for (const text of texts) {
    for (const metric of text.split(/^(?=# HELP )/m)) {
      const lines = metric.split("\n").filter((line) => line !== "")
      const head = lines.filter((line) => line.startsWith("# "))
      const [help] = head
      if (help === undefined) continue
      const known = metrics.get(help) ?? { head, series: [] }
      known.series.push(...lines.filter((line) => !line.startsWith("# ")))
      metrics.set(help, known)
    }
  }
  return Array.from(metrics.values(), ({ head, series }) => `${[...head, ...series].join("\n")}\n`).join("")
}
