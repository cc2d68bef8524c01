import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { snapshot } from "./support/fullSnapshot.ts"
import { assertFits, narrow, widest } from "./support/narrowTerminal.ts"
import { operate, operateIn, temporaryDirectory } from "./support/processes.ts"

describe("a terminal of 60 columns", () => {
  it.live.each(["key --help", "key create --help", "import --help"])("shows %s, and breaks no word", (line) =>
    assertFits(...line.split(" "))
  )

  it.live("shows keys and tokens, with their whole ids", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const file = join(directory, "snapshot.json")
      writeFileSync(file, JSON.stringify(snapshot))
      yield* operate("import", file, "--data", directory)
      for (const noun of ["key", "token"]) {
        const name = `${noun} of a very long name that does not fit beside anything else`
        yield* operate(noun, "create", "--name", name, ...(noun === "key" ? ["--admin"] : []), "--data", directory)
        const list = [noun, "list", "--data", directory]
        const { stdout } = yield* operateIn(narrow, ...list)
        assert.isAtMost(widest(stdout), 60)
        const all: ReadonlyArray<{ readonly id: string }> = JSON.parse((yield* operate(...list, "--json")).stdout)
        assert.isNotEmpty(all)
        for (const { id } of all) assert.include(stdout, id)
      }
    }).pipe(Effect.scoped)
  )
})
