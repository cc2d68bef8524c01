import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { everything, pipeId, unreachable } from "./headgate.ts"

const bin = join(import.meta.dirname, "../bin/headgate.mjs")

/** The files of the bundle and the modules of Node that a command line loads. */
const loadedBy = (...args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const script = `
    import { registerHooks } from "node:module"
    registerHooks({ load: (url, context, next) => {
      if (url.includes("/dist/")) process.stderr.write("loads " + url.slice(url.lastIndexOf("/") + 1) + "\\n")
      return next(url, context)
    } })
    process.on("exit", () => {
      process.stderr.write(process.moduleLoadList.join("\\n").replaceAll("NativeModule ", "loads ") + "\\n")
    })`
  const hooks = `data:text/javascript,${encodeURIComponent(script)}`
  const env = { ...everything(unreachable), HEADGATE_TOKEN: undefined }
  const run = spawnSync(process.execPath, ["--import", hooks, bin, ...args, "--max-retries", "0"], {
    encoding: "utf8",
    env
  })
  return Array.from(run.stderr.matchAll(/^loads (.*)$/gm), ([, file = ""]) => file)
}

const ofNouns = ["pipeCommands", "keyCommands", "dashboardCommands", "documentCommands", "filesCommands"]

describe("a command loads what it runs", () => {
  it.each([
    [["pipe", "get", pipeId], "pipeCommands"],
    [["key", "list"], "keyCommands"],
    [["dashboard", "list"], "dashboardCommands"],
    [["alert", "list"], "documentCommands"],
    [["diff", "-f", join(import.meta.dirname, "none")], "filesCommands"]
  ])("%j", (args, own) => {
    const loaded = loadedBy(...args)
    for (const noun of ofNouns) {
      const file = `part-${noun}.mjs`
      assert.isTrue(existsSync(join(import.meta.dirname, "../dist", file)), file)
      assert.strictEqual(loaded.includes(file), noun === own, file)
    }
  })

  it("a read loads neither the operations of other nouns, nor files, nor the terminal", () => {
    const loaded = loadedBy("pipe", "get", pipeId)
    assert.include(loaded, "part-httpClient.mjs")
    for (const part of ["knownOperations", "keyOperations", "dashboardOperations", "NodeFileSystem", "NodeTerminal"]) {
      assert.notInclude(loaded, `part-${part}.mjs`)
    }
  })

  it("a read over plain http loads neither TLS nor Web Crypto, and one over https loads TLS", () => {
    const loaded = loadedBy("pipe", "get", pipeId)
    assert.include(loaded, "http")
    for (const part of ["tls", "internal/crypto/webcrypto"]) assert.notInclude(loaded, part)
    assert.include(loadedBy("pipe", "get", pipeId, "--url", "https://127.0.0.1:1"), "tls")
  })

  it("the value of a flag may be the name of a noun", () => {
    assert.include(loadedBy("--organization", "key", "pipe", "get", pipeId), "part-pipeCommands.mjs")
  })
})
