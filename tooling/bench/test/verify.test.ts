import { afterEach, assert, describe, it } from "vitest"
import { RawServer } from "../src/client/RawServer.ts"
import { fullPipe } from "../src/document/fullPipe.ts"
import { ContestantProcess } from "../src/measure/ContestantProcess.ts"
import { verify } from "../src/measure/rounds.ts"

const running: Array<{ readonly stop: () => void }> = []

const broken = (name: string, ...args: ReadonlyArray<string>) => {
  const module = new URL(`broken/${name}.ts`, import.meta.url)
  const contestant = new ContestantProcess({ name, module }, args)
  running.push(contestant)
  return contestant
}

afterEach(() => {
  for (const one of running.splice(0)) one.stop()
})

const redness = async (contestant: ContestantProcess): Promise<string> =>
  verify([contestant], fullPipe).then(
    () => "green",
    (error: unknown) => String(error)
  )

describe("a contestant that does not do the work", () => {
  it("is found out when it gives another document back", async () => {
    assert.match(await redness(broken("forgetful")), /forgetful does not give the document back/)
  })

  it("is found out when it accepts what it should refuse", async () => {
    assert.match(await redness(broken("trusting")), /trusting accepts what it should refuse: no id, .*sorting key/)
  })

  it("is found out when it has no manners", async () => {
    const server = await RawServer.start()
    running.push(server)
    const red = await redness(broken("mannerless", server.url))
    assert.match(red, /a pipe whose name is a number/)
    assert.match(red, /a 503, which it should have repeated/)
    assert.match(red, /a pipe that shows its secret/)
  })

  it("is found out when its process ends", async () => {
    assert.match(await redness(broken("dying")), /dying: its process ended with 3/)
  })
})
