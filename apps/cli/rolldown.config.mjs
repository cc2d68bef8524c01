import { bundle } from "@headgate/toolchain/bundle"
import { withEagerFunctions } from "@headgate/toolchain/eagerFunctions"
import { createServer } from "node:http"

const requiresBuiltins = true

const id = "00000000-0000-4000-8000-000000000001"
const document = {
  id,
  serviceId: id,
  name: "a",
  state: "Running",
  provider: "aws",
  region: "b",
  createdAt: "2026-01-01T00:00:00Z"
}

/** Reads what is read most. Each answer is one document: in a list, and alone. */
const use = async (run) => {
  const server = createServer(({ url }, response) => {
    const content = url.endsWith(id) ? document : [document]
    response.end(JSON.stringify({ result: content, data: content }))
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  const settings = {
    HEADGATE_URL: `http://127.0.0.1:${server.address().port}`,
    HEADGATE_ORGANIZATION: id,
    HEADGATE_SERVICE: id,
    HEADGATE_KEY_ID: "id",
    HEADGATE_KEY_SECRET: "secret",
    HEADGATE_TOKEN: "token"
  }
  try {
    for (const args of [
      ["pipe", "get", id],
      ["pipe", "get", id, "--json"],
      ["pipe", "list"],
      ["key", "list"],
      ["dashboard", "list"]
    ]) {
      await run(args, settings)
    }
  } finally {
    server.close()
  }
}

// The library of undici is part of no command.
const commands = bundle(import.meta.url, { codeSplitting: true, requiresBuiltins, sharedBy: 6, without: ["undici"] })

export default async () => [
  await withEagerFunctions(commands, use),
  bundle(import.meta.url, { name: "help", requiresBuiltins }),
  bundle(import.meta.url, { name: "complete", requiresBuiltins })
]
