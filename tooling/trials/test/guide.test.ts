import { spawnSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { makePlace } from "../src/guide/Place.ts"
import { stepsOf } from "../src/guide/Step.ts"
import { difference } from "../src/guide/difference.ts"
import { runSteps } from "../src/guide/runSteps.ts"

const page = `# A page

\`\`\`sh
never run
\`\`\`

<!-- run
here=1
-->

\`\`\`ini
# /etc/headgate/environment
OPTIONS="--data /var/lib/headgate"
\`\`\`

\`\`\`js
// sub/folder/test.mjs
test()
\`\`\`

\`\`\`js
// no file
\`\`\`

\`\`\`sh run
echo $here
\`\`\`

\`\`\`text
1
\`\`\`
`

describe("the steps of a page", () => {
  it("are its commands with their output, its hidden commands and its files, in order", () => {
    assert.deepStrictEqual(stepsOf(page), [
      { _tag: "Run", line: 7, commands: "here=1" },
      {
        _tag: "Write",
        line: 11,
        path: "/etc/headgate/environment",
        text: '# /etc/headgate/environment\nOPTIONS="--data /var/lib/headgate"\n'
      },
      { _tag: "Write", line: 16, path: "sub/folder/test.mjs", text: "// sub/folder/test.mjs\ntest()\n" },
      { _tag: "Run", line: 25, commands: "echo $here", printed: "1" }
    ])
  })

  it("run in one shell until one fails", async () => {
    const run = (commands: string) => ({ _tag: "Run", line: 0, commands }) as const
    const steps = [run("a=1"), run("echo $a"), run("false"), run("echo not reached")]
    const { hasFailed, results } = await runSteps(steps, (text) => text, { PATH: process.env["PATH"] ?? "" }, ".")
    assert.isTrue(hasFailed)
    assert.deepStrictEqual(
      results.map(({ printed }) => printed),
      ["", "1\n", ""]
    )
  })
})

describe("the output of a block", () => {
  it.each([
    ["a word", "one\ntwo", "one\nthree", 'expected "two", got "three"'],
    ["a line too many", "one", "one\ntwo", '"two" is not in the guide'],
    ["a line too few", "one\ntwo", "one", 'expected "two", got no more lines'],
    ["a count", "3 added", "4 added", 'expected "3 added", got "4 added"'],
    ["another kind of secret", "hgs_abc", "none", 'expected "<secret>", got "none"']
  ])("differs in %s", (_, shown, printed, expected) => {
    assert.strictEqual(difference(shown, printed), expected)
  })

  it.each([
    [
      "IDs and times",
      "45318cb9-2e4d-4deb-85bd-297e0fee6a96 2026-11-21T19:21:00.000Z",
      "fcfed966-844f-456e-a190-0e7361b618b5 2027-01-01T00:00:00Z"
    ],
    ["secrets", "key secret  hgs_...", "key secret  hgs_w9vn4z5Sij0TNw4J"],
    ["what is left open", "until ... GMT", "until Monday GMT"],
    ["lines that are left open", "first\n...\nlast", "first\na\nb\nlast"],
    ["empty lines", "a\nb", "a\n\nb\n"]
  ])("may differ in %s", (_, shown, printed) => {
    assert.isUndefined(difference(shown, printed))
  })
})

describe("the steps of a workflow", () => {
  const script = fileURLToPath(new URL("../src/guide/runWorkflow.main.ts", import.meta.url))
  const runWorkflow = (...steps: ReadonlyArray<object>) => {
    const file = join(mkdtempSync(join(tmpdir(), "headgate-workflow-")), "test.yml")
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ jobs: { test: { steps: [{ uses: "actions/checkout@v4" }, ...steps] } } }))
    const { status, stdout } = spawnSync(process.execPath, [script, file], { encoding: "utf8" })
    return { status, lines: stdout.trim().split("\n") }
  }
  const onFailure = { name: "why", if: "failure()", run: "echo because" }

  it("have the variables of earlier ones, and what those left in the background", () => {
    const { lines, status } = runWorkflow(
      { name: "one", run: 'echo "A=1 2" >>"$GITHUB_ENV"; sleep 100 & echo "B=$!" >>"$GITHUB_ENV"' },
      { name: "two", run: 'kill -0 "$B" && echo "$A"' },
      onFailure
    )
    assert.deepStrictEqual([status, lines], [0, ["one", "two", "1 2"]])
  })

  it("end with the first that fails, but for what is for failures", () => {
    const { lines, status } = runWorkflow(
      { name: "one", run: "false | true\necho no" },
      { name: "two", run: "true" },
      onFailure
    )
    assert.deepStrictEqual([status, lines], [1, ["one", "why", "because"]])
  })

  it("are no actions of which nobody knows what they do", () => {
    assert.notStrictEqual(runWorkflow({ uses: "docker/login-action@v3" }).status, 0)
  })
})

it("a place maps the guide's files and ports to this machine and back", async () => {
  const { here, there } = await makePlace("/tmp/somewhere")
  const text = 'cat /etc/headgate/x && curl http://localhost:7420/etc/x --data=/var/lib "$HOME/var/x"'
  assert.match(
    here(text),
    /^cat \/tmp\/somewhere\/etc\/headgate\/x && curl http:\/\/localhost:\d+\/etc\/x --data=\/tmp\/somewhere\/var\/lib "\$HOME\/var\/x"$/
  )
  assert.notInclude(here(text), "7420")
  assert.strictEqual(there(here(text)), text)
})
