/** What the sources of one workspace package may import, beside relative files of their own. */
export interface Rule {
  /** Other packages of this workspace, by npm name. */
  readonly workspace: ReadonlyArray<string>
  /** Those of them of which it takes types alone, by `import type`. */
  readonly typesOf?: ReadonlyArray<string>
  /** Third-party packages, by npm name. `"any"`: the package's own package.json decides. */
  readonly external: ReadonlyArray<string> | "any"
  /** All built-in modules of Node. */
  readonly node: boolean
  /** What one folder under src may import beyond that, because it is an entry point of its own that users opt into. */
  readonly only?: {
    readonly folder: string
    readonly workspace?: ReadonlyArray<string>
    readonly external?: ReadonlyArray<string>
  }
}

const core = "@headgate/core"
const contract = "@headgate/http-contract"

/**
 * The hexagon, by folder. Data flows one way: apps -> adapters -> http-contract -> core, and adapters never meet.
 * A package folder without a rule is reported.
 */
export const packageRules: Readonly<Record<string, Rule>> = {
  core: { workspace: [], external: ["effect"], node: false },
  "http-contract": { workspace: [core], external: ["effect"], node: false },
  "http-adapter": {
    workspace: [core, contract],
    external: ["effect"],
    node: false,
    only: { folder: "undici", external: ["undici", "node:zlib"] }
  },
  "memory-adapter": { workspace: [core], external: ["effect"], node: false },
  "sql-adapter": {
    workspace: [core],
    external: ["effect", "@effect/sql-pg"],
    node: true,
    only: { folder: "mover", workspace: ["@headgate/mover"] }
  },
  client: {
    workspace: [core, contract, "@headgate/http-adapter", "@headgate/memory-adapter"],
    external: ["effect"],
    node: false
  },
  // The client's code is larger than the pages.
  console: {
    workspace: ["@headgate/client"],
    typesOf: ["@headgate/client"],
    external: ["preact", "@preact/signals", "uplot"],
    node: false,
    // Pure functions that the command line draws the same answers with: what is imported of core comes along alone.
    only: { folder: "pages/dashboards", workspace: [core] }
  },
  "command-line": { workspace: [core, contract], external: ["effect"], node: true },
  mover: {
    workspace: [core],
    external: ["effect"],
    node: false,
    only: { folder: "laws", external: ["vitest", "@effect/vitest"] }
  },
  "mover-runtime": { workspace: [core, "@headgate/mover"], external: ["effect"], node: true },
  "mover-demo": { workspace: [core, "@headgate/mover"], external: ["effect"], node: true },
  "mover-kafka": { workspace: [core, "@headgate/mover"], external: ["effect", "@platformatic/kafka"], node: true },
  "mover-postgres": {
    workspace: [core, "@headgate/mover"],
    external: ["effect", "pg", "pg-copy-streams", "pg-logical-replication", "postgres-array"],
    node: true
  },
  clickhouse: { workspace: [core], external: ["effect", "@clickhouse/client", "chdb"], node: true },
  "chart-clickhouse": {
    workspace: [core, "@headgate/clickhouse", "@headgate/mover"],
    external: ["effect"],
    node: true
  },
  "mover-clickhouse": {
    workspace: [core, "@headgate/clickhouse", "@headgate/mover"],
    external: ["effect"],
    node: true
  },
  "mover-object-storage": {
    workspace: [core, "@headgate/mover"],
    external: ["effect", "@xmldom/xmldom"],
    node: true
  },
  conformance: { workspace: [core], external: ["effect", "vitest", "@effect/vitest"], node: false }
}

/**
 * The one module that others may export whole, and which: every entry point of the client has the same names beside those of its
 * noun, and each would list them.
 */
export const exportedWhole = {
  module: "packages/client/src/everywhere.ts",
  by: /^packages\/client\/src\/(?:index|entry\/\w+)\.ts$/
}

/** An app may use any package and any library, but no other app. */
export const appRule: Rule = {
  // Of the console an app has what was built of it, not the code.
  workspace: Object.keys(packageRules)
    .filter((name) => name !== "console")
    .map((name) => `@headgate/${name}`),
  external: "any",
  node: true
}

export const appNames: ReadonlyArray<string> = ["headgate", "headgate-server"]

/**
 * The folders that every package of the hexagon has under src. The command line and the ClickHouse engine know no noun, the engine of
 * charts only those, the mover and its adapters only pipes. The console has a folder for each page.
 */
export const requiredFolders = (name: string): ReadonlyArray<string> => {
  const others = ["chart-clickhouse", "clickhouse", "command-line", "console", "mover"]
  if (others.includes(name) || name.startsWith("mover-")) return []
  return name === "core" ? ["access", "dashboard", "key", "pipe"] : ["dashboard", "key", "pipe"]
}
