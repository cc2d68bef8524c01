// A server that answers with the recorded cases of the dashboards service, and knows nothing else.
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { json, recordedCases, text } from "./recordedDashboards.ts"

// Both eras: `tiles` is required, and null is no tiles.
const tilesIssue = (body: string): string | undefined => {
  const { tags, tiles } = JSON.parse(body)
  if (tags === null) return "tags: Expected array, received null"
  return tiles === undefined ? "tiles: Required" : tiles === null ? "tiles: Expected array, received null" : undefined
}

/** Starts a server on a free port: the API of a case is at the path of its name. */
export const serveRecorded = async (): Promise<{ readonly server: Server; readonly url: (name: string) => string }> => {
  const server = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk)
    const [, name = "", ...path] = (request.url ?? "").split("/")
    const recorded = recordedCases[name]
    const isCall =
      `${request.method} /${path.join("/")}` === `${recorded?.call === "list" ? "GET" : "POST"} /api/v2/dashboards`
    const issue = recorded?.call === "create" && isCall ? tilesIssue(Buffer.concat(chunks).toString()) : undefined
    const answer =
      recorded === undefined || !isCall || request.headers.authorization?.startsWith("Bearer ") !== true
        ? text(599, "no such case")
        : issue === undefined
          ? recorded.answer
          : json(400, { message: `Body validation failed: ${issue}` })
    response.writeHead(answer.status, { "content-type": answer.type, ...answer.headers }).end(answer.body)
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  // The address of a server that listens on a port has this type.
  const { port } = server.address() as AddressInfo
  return { server, url: (name) => `http://127.0.0.1:${port}/${name}` }
}
