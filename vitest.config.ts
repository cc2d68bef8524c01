import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { testProject } from "./tooling/toolchain/testProject.ts"

/** The files that take longest, minutes or a large part of `npm test`: they begin first, so that none of them runs alone at the end. */
const longest = [
  "tooling/trials/test/storeRed.test.ts",
  "tooling/trials/test/moveRed.test.ts",
  "tooling/trials/test/red.test.ts",
  "packages/mover-object-storage/test/pipe.long.test.ts",
  "packages/mover-object-storage/test/kill.long.test.ts",
  "apps/server/test/lawsOverHttp.long.test.ts",
  "tooling/structure/test/addingAnOperation.long.test.ts",
  "packages/sql-adapter/test/postgresLaws.long.test.ts",
  "packages/mover-kafka/test/pipe.long.test.ts",
  "packages/mover-postgres/test/redefined.long.test.ts",
  "apps/cli/test/applyKilled.long.test.ts",
  "apps/server/test/sourceChecks.long.test.ts",
  "apps/server/test/resume.long.test.ts",
  "packages/mover-clickhouse/test/engine.long.test.ts",
  "apps/server/test/mover.long.test.ts",
  "apps/server/test/warehouseFaults.long.test.ts",
  "packages/mover-clickhouse/test/objectValues.long.test.ts",
  "packages/mover-postgres/test/kill.long.test.ts",
  "packages/sql-adapter/test/laws.test.ts",
  "packages/memory-adapter/test/laws.test.ts"
]

class LongestFirst extends BaseSequencer {
  override sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((path) => moduleId.endsWith(path))
      return place === -1 ? longest.length : place
    }
    // oxlint-disable-next-line unicorn/no-array-sort -- it is no array's
    return super.sort(files).then((sorted) => sorted.toSorted((one, other) => placeOf(one) - placeOf(other)))
  }
}

const folders = ["{packages,apps,tooling}/*", "packages/*/examples/*"]

/** The packages whose tests Vite loads. */
const usesVite = ["packages/console", "tooling/packaging"]

/**
 * A worker of Vitest runs the tests of one project. With a project for each package, all workers that there are during a run load
 * the same modules again and again, which takes 40 seconds of CPU: `npm test` and `npm run test:long` make one project of all packages.
 */
const projects =
  process.env["HEADGATE_TESTS_TOGETHER"] === "1"
    ? [
        ...usesVite.map((folder) => `${folder}/vitest.config.ts`),
        testProject("together", { folders, except: [...usesVite, "tooling/trials"] })
      ]
    : folders.map((folder) => `${folder}/vitest.config.ts`)

export default defineConfig({
  test: {
    projects,
    passWithNoTests: true,
    sequence: { sequencer: LongestFirst }
  }
})
