import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { headgate } from "./headgate.ts"
import { filesOnServer } from "./filesOnServer.ts"
import { dashboard, kafkaPipe, key } from "./resourceDirectory.ts"

const { files, server } = filesOnServer()

const tokenAlone = () => ({ HEADGATE_OBSERVABILITY_URL: server().url, HEADGATE_TOKEN: server().token })
const withToken = (...args: ReadonlyArray<string>) => headgate(args, { env: tokenAlone() })
const inFiles = ["-f", files.directory]
const succeeds = async (...args: ReadonlyArray<string>) => {
  const { exitCode, stderr, stdout } = await withToken(...args)
  assert.strictEqual(exitCode, 0, stderr)
  return stdout
}
const names = async () =>
  JSON.parse(await succeeds("dashboard", "list", "--json")).map(({ name }: { readonly name: string }) => name)

describe("with a token and no key", () => {
  it("apply creates, changes and prunes the dashboards of a directory, and diff shows what it would do", async () => {
    files.write("errors.dashboard.json", dashboard)
    const diff = await withToken("diff", ...inFiles)
    assert.deepStrictEqual([diff.exitCode, diff.stdout.split("\n").at(-2)], [3, "1 to create, 0 unchanged"])
    await succeeds("apply", ...inFiles, "--yes")
    assert.deepStrictEqual(await names(), ["Errors"])
    assert.strictEqual(await succeeds("diff", ...inFiles), "1 unchanged\n")

    files.edit("errors.dashboard.json", '"Errors"', '"Faults"')
    assert.include(await succeeds("apply", ...inFiles, "--yes"), '~ update dashboard "Errors"')
    assert.deepStrictEqual(await names(), ["Faults"])

    files.remove("errors.dashboard.json")
    const removed = await succeeds("diff", ...inFiles)
    assert.include(removed, 'note: dashboard "Faults" has no file any more: --prune deletes it')
    await succeeds("apply", ...inFiles, "--prune", "--yes-prune")
    assert.deepStrictEqual(await names(), [])
    assert.deepStrictEqual(files.lock(), [])
  })

  it("export --kind dashboard writes the dashboards, which diff and a key then find unchanged", async () => {
    files.write("errors.dashboard.json", dashboard)
    await succeeds("apply", ...inFiles, "--yes")
    const other = join(files.directory, "..", "other")
    const { exitCode, stderr } = await withToken("export", "--dir", other, "--kind", "dashboard")
    assert.strictEqual(exitCode, 0, stderr)
    assert.include(stderr, "wrote errors.dashboard.yaml\n1 of 1 files were written")
    assert.strictEqual(await succeeds("diff", "-f", other), "1 unchanged\n")
    const withKey = await headgate(["apply", "-f", other, "--yes"], {
      env: { ...server().env, HEADGATE_TOKEN: server().token }
    })
    assert.deepStrictEqual([withKey.exitCode, withKey.stdout], [0, "1 unchanged\n"])
    assert.strictEqual(await succeeds("diff", "-f", other), "1 unchanged\n")
  })

  it.each<[string, string, ReadonlyArray<string>]>([
    ["diff of a pipe", "orders.pipe.yaml", ["diff", ...inFiles]],
    ["apply of a key", "ci.key.yaml", ["apply", ...inFiles, "--yes"]],
    ["export of everything", "errors.dashboard.json", ["export", "--dir", files.directory]]
  ])("%s names the key that is missing, and changes nothing", async (_, file, args) => {
    files.write(file, { "orders.pipe.yaml": kafkaPipe, "ci.key.yaml": key }[file] ?? dashboard)
    const { exitCode, stderr, stdout } = await withToken(...args)
    assert.deepStrictEqual([exitCode, stdout], [2, ""])
    for (const words of ["HEADGATE_URL", "HEADGATE_KEY_ID", "HEADGATE_KEY_SECRET", "--kind dashboard"])
      assert.include(stderr, words)
    assert.deepStrictEqual(files.names(), [file])
  })

  it("half a key is an error, and not no key", async () => {
    files.write("errors.dashboard.json", dashboard)
    const env = { ...tokenAlone(), HEADGATE_KEY_ID: "half" }
    const { exitCode, stderr } = await headgate(["diff", ...inFiles], { env })
    assert.strictEqual(exitCode, 2)
    assert.include(stderr, "HEADGATE_KEY_SECRET")
  })
})
