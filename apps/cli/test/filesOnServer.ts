import { afterAll, beforeAll, beforeEach } from "vitest"
import { type LocalServer, startLocalServer } from "./localServer.ts"
import { resourceDirectory } from "./resourceDirectory.ts"

/** A directory of files, and a server that the tests of a file can ask for: before each test both are empty. */
export const filesOnServer = () => {
  let server: LocalServer
  const files = resourceDirectory()
  beforeAll(async () => {
    server = await startLocalServer()
  })
  afterAll(async () => {
    files.clear({ again: false })
    await server.stop()
  })
  beforeEach(async () => {
    await server.reset()
    files.clear({ again: true })
  })
  return { files, server: () => server }
}
