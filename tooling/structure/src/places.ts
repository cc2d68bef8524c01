/** Where a step of docs/adding-an-operation.md was done, and what reports that it is gone. */
export interface Place {
  readonly file: string
  readonly cut: RegExp
  /** A link that an installation would not make without the step. */
  readonly link?: string
  /** The projects that are compiled; absent: all. */
  readonly compiled?: ReadonlyArray<string>
  /** A program that reports it where the compiler does not. */
  readonly program?: ReadonlyArray<string>
}

/** A member of an object or an interface, to its closing bracket. */
const member = (name: string) => new RegExp(String.raw`^( +)(?:readonly )?"?${name}"?:.*\n(?:\1[ )}\]].*\n|\n)*`, "mu")

const vitest = (project: string, ...files: ReadonlyArray<string>) => [
  "vitest",
  "run",
  "--reporter=dot",
  "--project",
  project,
  ...files
]

const statuses = member("statuses")

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
  "A resource": {},
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
