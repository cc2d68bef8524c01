import { assert, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const script = fileURLToPath(new URL("processes/runOutOfFiles.ts", import.meta.url))

// The shell's limit of open files holds for the process that it starts.
it("a process that may open no more files finds that out", () => {
  const output = execFileSync("sh", ["-c", `ulimit -n 64 && exec "$0" "$1"`, process.execPath, script], {
    encoding: "utf8"
  })
  const { after, before } = JSON.parse(output)
  assert.deepStrictEqual({ before, after }, { before: null, after: "EMFILE" })
})
