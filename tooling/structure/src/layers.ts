import { posix } from "node:path"
import { outline, type Source } from "./Source.ts"

// `http` is a folder, `main.ts` is a file.
type Layer = ReadonlyArray<string>

/**
 * The layers of each package's `src`, the lowest first. An import goes to a lower layer or stays in its folder. Files
 * directly in `src` count as one folder. A file that is named itself is in that layer, not in the layer of its folder. `pages/*` are the
 * folders in `pages`: none imports another one.
 */
export const layers: Readonly<Record<string, ReadonlyArray<Layer>>> = {
  "apps/cli": [
    ["output"],
    ["request"],
    ["error"],
    ["usage"],
    ["settings"],
    ["address", "list", "wait"],
    ["chart"],
    ["api", "profile", "organization", "service", "pipe", "key", "role", "dashboard"],
    ["completion", "files"],
    ["headgate.ts", "Composition.ts", "run.ts", "program.ts", "main.ts", "help.ts", "complete.ts"]
  ],
  "apps/server": [
    ["flags.ts", "StartupError.ts"],
    ["http"],
    ["access"],
    ["organization", "pipe", "key", "dashboard", "gateway", "store", "console"],
    ["admin", "observability"],
    ["mover"],
    ["chart"],
    ["demo"],
    ["commands"],
    ["Routes.ts", "Composition.ts", "main.ts", "health.ts"]
  ],
  "packages/client": [
    ["Secret.ts", "Unlisted.ts", "Plain.ts", "CallPromise.ts"],
    ["error"],
    [
      "addresses.ts",
      "BelowServiceClient.ts",
      "CallOptions.ts",
      "ClientOptions.ts",
      "Closeable.ts",
      "Defaults.ts",
      "Input.ts",
      "Noun.ts",
      "Runner.ts",
      "requestSchema.ts",
      "promisesOf.ts",
      "Hooks.ts",
      "observerOf.ts",
      "httpConnections.ts",
      "Requests.ts",
      "makeHttpClient.ts"
    ],
    ["organization", "service", "pipe", "key", "dashboard"],
    ["chart"],
    ["HeadgateClient.ts", "nouns.ts", "createClient.ts"],
    ["testing"],
    ["everywhere.ts"],
    ["entry", "index.ts"]
  ],
  "packages/command-line": [
    ["layout.ts", "style.ts", "terminal.ts", "readFailure.ts", "listedValues.ts"],
    ["columns.ts", "HelpPage.ts", "cliServices.ts", "completions.ts", "helpPageOf.ts", "roles.ts", "stdout.ts"],
    ["help.ts", "index.ts"]
  ],
  "packages/conformance": [
    ["fixtures", "LawsOptions.ts"],
    ["internal"],
    ["organization", "service", "pipe", "key", "dashboard", "access", "snapshot", "chart"],
    ["suites.ts"],
    ["adapterLaws.ts"],
    ["index.ts"]
  ],
  "packages/console": [
    ["style"],
    ["format"],
    ["data"],
    ["parts"],
    ["pages/*"],
    ["pages/pages.ts"],
    ["pages/shell"],
    ["App.tsx", "main.tsx"]
  ],
  "packages/core": [
    ["schema"],
    ["id"],
    ["error"],
    ["access"],
    ["example"],
    ["organization", "service"],
    ["pipe", "key", "dashboard"],
    ["chart"],
    ["snapshot"],
    ["index.ts", "ports.ts", "adapter.ts"]
  ],
  "packages/http-adapter": [
    [
      "optionSchemas.ts",
      "BaseUrl.ts",
      "CallOptions.ts",
      "ConnectionOptions.ts",
      "ReceivedElements.ts",
      "ReceivedResponse.ts",
      "ConnectionCause.ts",
      "HttpRequest.ts",
      "Transport.ts",
      "Observer.ts",
      "Attempt.ts",
      "ErrorAnswer.ts"
    ],
    ["layers"],
    ["transport"],
    [
      "Connection.ts",
      "connect.ts",
      "makeUuid.ts",
      "encodeRequest.ts",
      "ifMatch.ts",
      "decodeAnswer.ts",
      "notFound.ts",
      "call.ts",
      "callUnknown.ts",
      "pages.ts",
      "portOf.ts",
      "sendRaw.ts",
      "undici"
    ],
    ["organization", "service", "pipe", "key", "dashboard", "chart"],
    ["HttpAdapter.ts", "ports.ts", "index.ts"]
  ],
  "packages/http-contract": [
    ["Dialect.ts", "ErrorBody.ts", "Operation.ts", "Paging.ts", "Envelope.ts", "portMethod.ts", "forGenerators.ts"],
    ["organization", "service", "pipe", "key", "dashboard", "chart"],
    ["snapshot"],
    ["operations.ts", "examples.ts", "strictBodies.ts", "Api.ts", "index.ts"]
  ],
  "packages/memory-adapter": [
    ["Faulty.ts"],
    ["MemoryStore.ts"],
    ["organization", "service"],
    ["pipe", "key", "dashboard", "access", "chart"],
    ["snapshot"],
    ["MemoryAdapter.ts", "index.ts"]
  ],
  "packages/mover": [["range"], ["port"], ["rule", "message"], ["loop"], ["memory", "laws"], ["index.ts"]],
  "packages/mover-runtime": [["source"], ["warehouse"], ["pipe"], ["loop", "check", "cleanup"], ["index.ts"]],
  "packages/mover-demo": [["row"], ["source"], ["index.ts"]],
  "packages/mover-kafka": [["message"], ["options"], ["protocol"], ["source"], ["index.ts"]],
  "packages/mover-postgres": [["options"], ["protocol"], ["table"], ["source"], ["index.ts"]],
  "packages/clickhouse": [["sql"], ["connection"], ["table"], ["index.ts"]],
  "packages/chart-clickhouse": [["sql"], ["table"], ["engine"], ["ClickHouseChartEngines.ts", "index.ts"]],
  "packages/mover-clickhouse": [
    ["sql"],
    ["connection", "row"],
    ["table"],
    ["staging"],
    ["ClickHouseWarehouse.ts", "ClickHouseVersionedTables.ts", "index.ts"]
  ],
  "packages/mover-object-storage": [["key"], ["options"], ["storage"], ["source"], ["index.ts"]],
  "packages/sql-adapter": [
    ["internal"],
    ["NodeSqlite.ts", "Postgres.ts", "SqlCredentialKind.ts", "SqlMigrations.ts"],
    ["organization", "service", "mover"],
    ["pipe", "key", "dashboard"],
    ["access", "StoredDocuments.ts"],
    ["snapshot", "SqlSealing.ts"],
    ["SqlAdapter.ts", "index.ts"]
  ]
}

interface Place {
  readonly package: string
  readonly layer: number
  /** Files of one folder may import one another. */
  readonly folder: string
}

const placeOf = (path: string): Place | undefined => {
  const [area = "", name = "", src, ...rest] = path.split("/")
  const table = layers[`${area}/${name}`]
  const file = rest.join("/")
  if (table === undefined || src !== "src") return undefined
  const [first = "", second = ""] = rest
  const folder = rest.length > 1 ? first : "src"
  const inner = rest.length > 2 ? [`${first}/${second}`, `${first}/*`] : []
  const named = [file, ...inner, folder].find((name) => table.some((layer) => layer.includes(name)))
  return named === undefined
    ? undefined
    : {
        package: `${area}/${name}`,
        layer: table.findIndex((layer) => layer.includes(named)),
        folder: inner.includes(named) ? `${first}/${second}` : folder
      }
}

/** A relative import: `to` is the imported file, relative to the root of the workspace. */
interface RelativeImport {
  readonly from: string
  readonly line: number
  readonly to: string
}

/** The relative imports of the sources, type imports included. */
const relativeImports = (sources: Iterable<Source>): ReadonlyArray<RelativeImport> =>
  Array.from(sources).flatMap((source) =>
    outline(source)
      .imports.filter(({ name }) => name.startsWith("."))
      .map(({ line, name }) => ({
        from: source.path,
        line,
        to: posix.join(posix.dirname(source.path), name)
      }))
  )

/** Every file without a layer, and every import that goes up or to another folder of its layer. */
export const layerViolations = (sources: ReadonlyArray<Source>): ReadonlyArray<string> => [
  ...sources
    .filter(({ path }) => placeOf(path) === undefined)
    .map(({ path }) => `${path}: say in tooling/structure/src/layers.ts which layer it is in`),
  ...relativeImports(sources).flatMap(({ from, line, to }) => {
    const [importer, imported] = [placeOf(from), placeOf(to)]
    if (importer === undefined || imported === undefined || importer.package !== imported.package) return []
    const isAllowed =
      imported.layer < importer.layer || (imported.layer === importer.layer && imported.folder === importer.folder)
    return isAllowed
      ? []
      : [`${from}:${line} imports ${to}: layer ${importer.layer} may not import layer ${imported.layer}`]
  })
]
