/** What the page was served with: the server writes it into the tag `html`. */
interface Served {
  /** Whether paths and settings have the neutral names, or those of the service. */
  readonly dialect: "neutral" | "clickhouse"
  /** The version of the server. */
  readonly version: string
  /** Whether the server moves no rows: pipes are simulated. */
  readonly isSimulated: boolean
}

const { dialect, simulated, version } = typeof document === "undefined" ? {} : document.documentElement.dataset

/** What this page was served with. */
export const served: Served = {
  dialect: dialect === "clickhouse" ? "clickhouse" : "neutral",
  version: version ?? "",
  isSimulated: simulated === "true"
}
