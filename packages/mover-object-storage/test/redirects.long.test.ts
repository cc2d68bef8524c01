import { assert, it } from "@effect/vitest"
import { execFile, execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { describeChdb } from "../../mover-clickhouse/test/support/chdb.ts"

const script = fileURLToPath(new URL("processes/redirects.ts", import.meta.url))

const metadata = "169.254.169.254"
/** Commands in a network namespace of its own, in which the address of the metadata of clouds is loopback. */
const inNamespace = `ip link set lo up && ip addr add ${metadata}/32 dev lo && exec "$@"`
const unshare = ["-n", "sh", "-c", inNamespace, "sh"]

const hasNamespaces = (): boolean => {
  try {
    execFileSync("unshare", [...unshare, "true"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

/** What the process of the matrix prints. */
interface Result {
  readonly forbidden: number
  readonly cells: number
  readonly read: number
}

const run = (broken: string, isApart: boolean) =>
  new Promise<Result>((resolve, reject) => {
    const [program, args] = isApart
      ? ["unshare", [...unshare, process.execPath, script, broken, metadata]]
      : [process.execPath, [script, broken, "127.0.0.2"]]
    // It ends itself by a signal, for the engine may not end.
    execFile(program, args, { killSignal: "SIGKILL" }, (error, stdout) => {
      const [line = ""] = stdout.split("\n").filter((text) => text.startsWith("{"))
      if (line === "") reject(error ?? new Error("it printed nothing"))
      else resolve(JSON.parse(line))
    })
  })

describeChdb("a storage that leads the engine elsewhere", () => {
  const isApart = hasNamespaces()
  console.error(
    isApart
      ? `redirects: in a network namespace in which ${metadata} is loopback`
      : "redirects: no network namespace may be made here, so 127.0.0.2 is the forbidden address"
  )

  it("leads it to no forbidden address, in any way", { timeout: 600_000 }, async () => {
    const { cells, forbidden, read } = await run("nothing", isApart)
    assert.strictEqual(forbidden, 0)
    // A matrix that reads nothing shows nothing: after each attack the object is read.
    assert.isAbove(cells, 100)
    assert.strictEqual(read, cells)
  })

  // The red runs. They stand here, and not in trial:red, since CI runs these tests and they need the same process.
  for (const [broken, title] of [
    ["redirects", "with s3() and s3_max_redirects = 0"],
    ["retries", "with s3() that tries once, in parallel ranges of which one is redirected and the others answer 503"],
    ["names", "with a name that the engine looks up again"]
  ] as const) {
    it(`leads it there ${title}`, { timeout: 120_000 }, async () => {
      assert.isAbove((await run(broken, isApart)).forbidden, 0)
    })
  }
})
