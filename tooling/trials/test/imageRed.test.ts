// trial:image must fail on a Dockerfile with faults.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { imageMissing } from "../src/image/imageMissing.ts"
import { execute, file } from "./support/run.ts"

const directory = mkdtempSync(join(tmpdir(), "headgate-dockerfile-"))
afterAll(() => rmSync(directory, { recursive: true }))

const faults: ReadonlyArray<readonly [text: string, replacement: string]> = [
  // As root.
  ["USER 10001:10001\n", ""],
  // A shell as process 1 passes no signal on.
  ['ENTRYPOINT ["headgate-server"]', 'ENTRYPOINT ["sh", "-c", "headgate-server \\"$@\\"; exit $?", "sh"]'],
  // Files that nobody needs, which others may write.
  [
    "ENV NODE_ENV",
    "RUN head -c 20000000 /dev/zero > /opt/headgate/padding && chmod 0666 /opt/headgate/padding\nENV NODE_ENV"
  ]
]

const spoil = (text: string, [from, to]: readonly [string, string]): string => {
  assert.include(text, from)
  return text.replace(from, to)
}

describe.skipIf(imageMissing() !== undefined)("trial:image turns red", () => {
  it("on an image that runs a shell as root, and is too large", async () => {
    const spoiled = join(directory, "Dockerfile")
    writeFileSync(spoiled, faults.reduce(spoil, readFileSync(file("../../../Dockerfile"), "utf8")))
    const { code, output } = await execute([file("../src/image.ts")], { TRIAL_DOCKERFILE: spoiled })
    assert.match(output, /RED the layers have 4\d{7} bytes, more than 40000000$/m)
    assert.match(output, /RED files of the program that others than root may write: \S+\/padding$/m)
    assert.match(output, /RED process 1 runs as the user 0\t/)
    assert.match(output, /RED process 1 is not the server: sh/)
    assert.match(output, /RED a server at rest: exit 137 after SIGTERM, expected 0 within 10000 ms$/m)
    assert.match(output, /RED a folder of root: "it starts", expected /)
    assert.strictEqual(code, 1)
  }, 600_000)
})
