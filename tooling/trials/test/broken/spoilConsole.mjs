// Starts the built server with a console whose script does more, and whose pages have no policy.
import { intercept, serveBroken } from "./serve.mjs"

/** Appends a function to the script of the console. It runs in the page. */
export const spoilConsole = (spoil) => {
  const more = Buffer.from(`;(${spoil})()`)
  return serveBroken((server) =>
    intercept(server, (request, response) => {
      if (!request.url.startsWith("/console")) return false
      const isScript = request.url.includes("/assets/index-")
      delete request.headers["accept-encoding"]
      const { end, writeHead } = response
      response.writeHead = (status, ...rest) => {
        const { "content-length": length, "content-security-policy": _policy, ...headers } = rest.at(-1) ?? {}
        if (length !== undefined) headers["content-length"] = String(Number(length) + (isScript ? more.length : 0))
        return writeHead.call(response, status, headers)
      }
      response.end = (body, ...rest) =>
        end.call(response, isScript && body ? Buffer.concat([Buffer.from(body), more]) : body, ...rest)
      return false
    })
  )
}
