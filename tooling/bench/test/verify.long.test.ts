import { afterEach, assert, describe, it } from "vitest"
import { startRawServer } from "../src/client/RawServer.ts"
import { fullPipe } from "@headgate/samples"
import { ContestantProcess } from "../src/work/ContestantProcess.ts"

const running: Array<{ readonly stop: () => void }> = []

afterEach(() => {
  for (const one of running.splice(0)) one.stop()
})

const faultOf = async (name: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const contestant = new ContestantProcess(name, new URL("broken/contestants.ts", import.meta.url), args)
  running.push(contestant)
  return contestant.verify(fullPipe).then(
    () => "none",
    (error: unknown) => String(error)
  )
}

describe("a contestant that does not do the work is reported", () => {
  it("if it returns another document", async () => {
    assert.match(await faultOf("returns another document"), /does not return the document/)
  })

  it("if it neither checks, retries nor redacts", async () => {
    const server = await startRawServer()
    running.push(server)
    const fault = await faultOf("neither retries nor redacts", server.url)
    assert.match(fault, /a pipe whose name is a number/)
    assert.match(fault, /a 503, which it should have retried/)
    assert.match(fault, /a pipe that shows its secret/)
  })

  it("if its process ends", async () => {
    assert.match(await faultOf("exits"), /exits: the process ended with 3/)
  })
})
