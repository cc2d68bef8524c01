// Answers an OpenAPI document in which descriptions stand in an `allOf` beside what they describe, and the state of a pipe is a number.
import { intercept, serveBroken } from "./serve.mjs"

const isOwn = "x-own-request"

/** A document in which each reference with a description is an `allOf` of both. */
const withAllOf = (value) => {
  if (Array.isArray(value)) return value.map(withAllOf)
  if (typeof value !== "object" || value === null) return value
  const { $ref, description } = value
  if ($ref !== undefined && description !== undefined) return { allOf: [{ $ref }, { description }] }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withAllOf(part)]))
}

const answerBroken = async ({ host }, response) => {
  const answer = await fetch(`http://${host}/openapi.json`, { headers: { [isOwn]: "1" } })
  const document = withAllOf(await answer.json())
  document.components.schemas.Pipe.properties.state = { type: "integer", description: "The state." }
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document))
}

await serveBroken((server) =>
  intercept(server, (request, response) => {
    if (request.url !== "/openapi.json" || request.headers[isOwn] !== undefined) return false
    void answerBroken(request.headers, response)
    return true
  })
)
