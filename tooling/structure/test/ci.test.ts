// CI runs in two places: `.ci/run` on one machine, and the jobs of the workflow side by side.
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), "utf8")
const [script, workflow] = [read(".ci/run"), read(".github/workflows/ci.yml")]
const words = (list = "") => list.split(/[\s,]+/).filter((word) => word !== "")

describe("the workflow of CI", () => {
  it("runs the trials that .ci/run runs, over the same sources", () => {
    const lists = (text: string, name: string, list: RegExp) =>
      [...text.matchAll(list)]
        .flatMap(([, found]) => words(found))
        .toSorted()
        .concat(`of ${name}`)
    for (const [inScript, inWorkflow, name] of [
      [/^(?:for trial in|also npm run trial:)([\w\- ]+?)(?:; do)?$/gm, /^ +trial:\s+\[([^\]]*)\]$/gm, "trials"],
      [/^for source in (.*); do$/gm, /^ +source: \[(.*)\]$/gm, "sources"]
    ] as const) {
      assert.deepStrictEqual(lists(workflow, name, inWorkflow), lists(script, name, inScript))
      assert.isAbove(lists(script, name, inScript).length, 3, name)
    }
  })

  it("requires what .ci/run requires, and installs it by the same script", () => {
    const required = new Set(script.match(/HEADGATE_REQUIRE_\w+/g))
    assert.isAbove(required.size, 2)
    for (const name of required) assert.include(workflow, `${name}: "1"`)
    for (const text of [script, workflow]) {
      for (const part of [".ci/engines", ".ci/generators", "fetchKafka.ts", "clickhousectl==0.5.0"])
        assert.include(text, part)
    }
  })
})
