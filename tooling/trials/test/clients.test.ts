import { assert, describe, it } from "vitest"
import { listCommands, withoutRun } from "../src/clients/listCommands.ts"

const helps: Readonly<Record<string, string>> = {
  "cloud --help":
    "A tool\n\nCommands:\n  key    Manage keys\n  bills  Read bills\n  help   Print this\n\nOptions:\n  --json\n",
  "cloud key --help":
    "Manage keys\n\nCommands:\n  list       List keys\n  list-old   List old keys\n  help  Print this\n",
  "cloud key list --help": "List keys\n\nOptions:\n      --json  Output as JSON\n",
  "cloud key list-old --help": "List old keys\n"
}

const commands = () =>
  listCommands(
    async (args) => helps[args.join(" ")] ?? assert.fail(args.join(" ")),
    (command) => command === "bills"
  )

describe("the commands of a tool", () => {
  it("are those of its help, with a group that is left out as one", async () => {
    assert.deepStrictEqual(await commands(), ["key list", "key list-old", "bills"])
  })

  it("are missing if none of their runs was completed", async () => {
    assert.deepStrictEqual(withoutRun(await commands(), ["key list --all", "bills"]), ["key list-old"])
  })
})
