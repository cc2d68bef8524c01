/** Where a step of docs/adding-an-operation.md was done, and what reports that it is gone. */
export interface Place {
  readonly file: string
  readonly cut: RegExp
  /** What stood there before a step that removes something. */
  readonly before?: string
  /** A link that an installation would not make without the step. */
  readonly link?: string
  /** The projects that are compiled; absent: all. */
  readonly compiled?: ReadonlyArray<string>
  /** A program that reports it where the compiler does not. */
  readonly program?: ReadonlyArray<string>
}

/** Each member of this name of an object or an interface, to its closing bracket. */
const member = (name: string) => new RegExp(String.raw`^( +)(?:readonly )?"?${name}"?:.*\n(?:\1[ )}\]].*\n|\n)*`, "gmu")

const vitest = (project: string, ...files: ReadonlyArray<string>) => [
  "vitest",
  "run",
  "--reporter=dot",
  "--project",
  project,
  ...files
]

const statuses = member("statuses")
const notFound = member("DashboardRoleNotFound")
const roleOperations = member("dashboardRole")
const roles = member("dashboardRoles")

/** The places of a section by the numbers of its steps. */
export const places: Readonly<Record<string, Readonly<Record<number, Place>>>> = {
  "An operation on a port that is there": {
    1: { file: "packages/core/src/pipe/Pipes.ts", cut: statuses, compiled: ["packages/http-adapter"] },
    2: {
      file: "packages/memory-adapter/src/pipe/MemoryPipes.ts",
      cut: statuses,
      compiled: ["packages/memory-adapter"]
    },
    3: { file: "packages/sql-adapter/src/pipe/SqlPipes.ts", cut: statuses, compiled: ["packages/sql-adapter"] },
    4: {
      file: "packages/http-contract/src/pipe/pipeOperations.ts",
      cut: statuses,
      compiled: ["packages/http-adapter"],
      program: vitest("http-contract", "openApi.test", "architecture.test")
    },
    5: { file: "packages/core/src/example/pipe.ts", cut: statuses, compiled: ["packages/http-contract"] },
    6: { file: "packages/client/src/pipe/PipesClient.ts", cut: statuses, compiled: ["packages/client"] },
    7: {
      file: "packages/conformance/src/pipe/pipeStatesLaws.ts",
      cut: /^ {4}law\(\n {6}"the statuses of a service[^]*?^ {4}\)\n/mu
    },
    8: {
      file: "packages/http-adapter/test/Telemetry.test.ts",
      cut: member("pipe.statuses"),
      compiled: ["packages/http-adapter/tsconfig.test.json"]
    },
    9: {
      file: "tooling/trials/src/matrix/oracle.ts",
      cut: member("pipe.statuses"),
      compiled: ["tooling/trials"],
      program: ["tooling/trials/src/matrix.ts", "--every", "1000"]
    },
    10: { file: "docs/wire-contract.md", cut: /^\| `GET \.\.\.\/dbpipes\/statuses`.*\n/mu }
  },
  "A resource": {
    1: {
      file: "packages/core/src/id/dashboard.ts",
      cut: /^export (?:const|type) DashboardRoleId[^]*?(?:\}\)|Type)\n/gmu,
      compiled: ["packages/core"]
    },
    2: {
      file: "packages/core/src/dashboard/DashboardRoles.ts",
      cut: /^export class DashboardRoles [^]*/mu,
      compiled: ["packages/core"]
    },
    3: {
      file: "packages/core/src/error/NotFound.ts",
      cut: /^export class DashboardRoleNotFound [^]*?\{\}\n|^ +DashboardRoleNotFound,\n/gmu,
      compiled: ["packages/core"]
    },
    4: { file: "packages/core/src/error/notFoundErrors.ts", cut: notFound, compiled: ["packages/core"] },
    5: { file: "packages/core/src/dashboard/documentKinds.ts", cut: roles, compiled: ["packages/conformance"] },
    6: { file: "packages/core/src/ports.ts", cut: roleOperations, compiled: ["packages/http-adapter"] },
    7: {
      file: "packages/core/src/index.ts",
      cut: /^export \{ DashboardRole, .*\n|^ +DashboardRole(?:Id|NotFound),\n/gmu,
      compiled: ["packages/http-contract"]
    },
    8: {
      file: "packages/core/src/example/document.ts",
      cut: /^ +dashboardRole(?:Id)?: [^]*?(?=^\})/gmu,
      compiled: ["packages/http-contract"]
    },
    9: {
      file: "packages/http-contract/src/dashboard/dashboardRoleOperations.ts",
      cut: /^export const [^]*/mu,
      compiled: ["packages/http-contract"]
    },
    10: {
      file: "packages/http-contract/src/index.ts",
      cut: /^export \{ dashboardRoleOperations \}.*\n/mu,
      compiled: ["packages/http-adapter"]
    },
    11: {
      file: "packages/http-contract/src/operations.ts",
      cut: roleOperations,
      compiled: ["packages/http-adapter/tsconfig.test.json"],
      program: vitest("http-contract", "openApi.test", "architecture.test")
    },
    12: {
      file: "packages/http-adapter/src/dashboard/HttpDocumentStores.ts",
      cut: /^ +Layer\.succeed\(BelowService\(DashboardRoles\).*\n/mu,
      compiled: ["packages/http-adapter"]
    },
    13: { file: "packages/http-adapter/src/HttpAdapter.ts", cut: roleOperations, compiled: ["packages/http-adapter"] },
    14: {
      file: "packages/client/src/dashboard/DashboardRolesClient.ts",
      cut: /^export interface [^]*/mu,
      compiled: ["packages/client"]
    },
    15: { file: "packages/client/src/HeadgateClient.ts", cut: roles, compiled: ["packages/client"] },
    16: { file: "packages/client/src/nouns.ts", cut: /^ +dashboardRoles,\n/mu, compiled: ["packages/client"] },
    17: {
      file: "packages/client/src/error/errorClasses.ts",
      cut: /^export class DashboardRoleNotFoundError.*\n|^ +(?:readonly )?DashboardRoleNotFound:.*\n/gmu,
      compiled: ["packages/client"]
    },
    18: {
      file: "packages/client/src/index.ts",
      cut: /^export type \{\n +DashboardRole,[^]*?\n(?=export)|^ +DashboardRoleNotFoundError,\n/gmu,
      compiled: ["packages/client"]
    },
    19: {
      file: "packages/sql-adapter/src/SqlMigrations.ts",
      cut: /^.*createDocuments\("dashboard_role".*\n/mu,
      compiled: ["packages/sql-adapter"],
      program: vitest("sql-adapter", "kindTables.test", "--testNamePattern=make.{1,3}agree")
    },
    20: { file: "packages/conformance/src/fixtures/documents.ts", cut: roles, compiled: ["packages/conformance"] },
    21: {
      file: "packages/conformance/src/access/versionsLaws.ts",
      cut: roleOperations,
      compiled: ["packages/conformance"]
    },
    22: {
      file: "packages/conformance/src/dashboard/dashboardRolesLaws.ts",
      cut: /^export const [^]*/mu,
      compiled: ["packages/conformance"]
    },
    23: {
      file: "packages/conformance/src/suites.ts",
      cut: member("dashboardRole(?:s|Versions)Laws"),
      compiled: ["packages/conformance"]
    },
    24: {
      file: "tooling/drift/src/unserved.ts",
      cut: /(?<=^ +clickhouseSettings: .*\n)/mu,
      before: '    "clickstack/roles": "roles of dashboards",\n',
      compiled: ["tooling/drift"],
      program: ["tooling/drift/src/checkDrift.ts"]
    },
    25: {
      file: "tooling/drift/src/knownDifferences.ts",
      cut: /^ {2}\{\n +reason: "The conditions of a permission[^]*?^ {2}\},\n/mu,
      compiled: ["tooling/drift"],
      program: ["tooling/drift/src/checkDrift.ts"]
    },
    26: {
      file: "packages/core/test/error/NotFound.test.ts",
      cut: notFound,
      compiled: ["packages/core/tsconfig.test.json"]
    },
    27: {
      file: "packages/core/test/snapshot/toSnapshot.test.ts",
      cut: roles,
      compiled: ["packages/core/tsconfig.test.json"]
    },
    28: {
      file: "packages/client/test/support/nouns.ts",
      cut: roleOperations,
      compiled: ["packages/client/tsconfig.test.json"]
    },
    29: {
      file: "packages/http-adapter/test/Telemetry.test.ts",
      cut: /^ +"dashboardRole\..*\n/gmu,
      compiled: ["packages/http-adapter/tsconfig.test.json"]
    },
    30: {
      file: "apps/server/test/idempotency.test.ts",
      cut: roleOperations,
      compiled: ["apps/server/tsconfig.test.json"]
    }
  },
  "A source": {
    1: { file: "packages/mover/src/memory/MemorySource.ts", cut: member("read"), compiled: ["packages/mover"] },
    2: { file: "packages/mover/src/memory/MemoryConnector.ts", cut: member("configure"), compiled: ["packages/mover"] },
    3: {
      file: "packages/mover/src/memory/index.ts",
      cut: /^export \{ MemoryConnector \}.*\n/mu,
      compiled: ["packages/mover-runtime/tsconfig.test.json"]
    },
    4: {
      file: "packages/mover-runtime/test/support/connectors.ts",
      cut: member("kinesis"),
      compiled: ["packages/mover-runtime/tsconfig.test.json"],
      program: vitest("mover-runtime", "memoryConnector.test")
    },
    5: {
      file: "apps/server/package.json",
      cut: /^.*"@headgate\/mover-kafka".*\n/mu,
      link: "apps/server/node_modules/@headgate/mover-kafka",
      compiled: ["apps/server"]
    }
  }
}
