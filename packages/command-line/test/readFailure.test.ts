import { assert, describe, it } from "@effect/vitest"
import { systemError } from "effect/PlatformError"
import { readFailure } from "../src/readFailure.ts"

describe("readFailure", () => {
  it.each([
    ["NotFound", "ENOENT: no such file or directory, open 'x'", "there is no such file"],
    ["PermissionDenied", "EACCES: permission denied, open 'x'", "permission denied"],
    ["BadResource", "EISDIR: illegal operation on a directory, read", "it is a directory"]
  ] as const)("says in a few words why a file could not be read: %s", (_tag, message, expected) => {
    const cause = new Error(message)
    assert.strictEqual(readFailure(systemError({ _tag, module: "FileSystem", method: "readFile", cause })), expected)
  })
})
