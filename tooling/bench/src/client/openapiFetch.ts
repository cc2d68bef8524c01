import createClient from "openapi-fetch"
import * as z from "zod"
import { zodPipe } from "./zodPipe.ts"

/** What openapi-typescript would generate for the operation. */
interface Paths {
  "/v1/organizations/{organizationId}/services/{serviceId}/dbpipes/{dbPipeId}": {
    get: {
      parameters: { path: { organizationId: string; serviceId: string; dbPipeId: string } }
      responses: { 200: { content: { "application/json": unknown } } }
    }
  }
}

const Envelope = z.looseObject({ status: z.int(), requestId: z.guid(), result: zodPipe })

/** Reads a pipe with openapi-fetch and checks it with zod. */
export const openapiFetchReader = (baseUrl: string, authorization: string) => {
  const client = createClient<Paths>({ baseUrl, headers: { authorization, accept: "application/json" } })
  return async (path: { organizationId: string; serviceId: string; dbPipeId: string }) => {
    const { data, response } = await client.GET(
      "/v1/organizations/{organizationId}/services/{serviceId}/dbpipes/{dbPipeId}",
      { params: { path } }
    )
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    return Envelope.parse(data).result
  }
}
