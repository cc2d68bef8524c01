import createClient from "openapi-fetch"
import * as z from "zod"
import { zodPipe } from "../../decode/contestants/zodPipe.ts"
import { baseUrl, clientWork } from "../clientWork.ts"
import { authorization, organizationId, serviceId } from "../served.ts"

/** What openapi-typescript would generate of the one operation. */
interface Paths {
  "/v1/organizations/{organizationId}/services/{serviceId}/dbpipes/{dbPipeId}": {
    get: {
      parameters: { path: { organizationId: string; serviceId: string; dbPipeId: string } }
      responses: { 200: { content: { "application/json": { status: number; requestId: string; result: unknown } } } }
    }
  }
}

const client = createClient<Paths>({ baseUrl: baseUrl(), headers: { authorization, accept: "application/json" } })
const Envelope = z.looseObject({ status: z.int(), requestId: z.guid(), result: zodPipe })

export const work = clientWork({
  checks: true,
  hasManners: false,
  read: async (dbPipeId) => {
    const { data, response } = await client.GET(
      "/v1/organizations/{organizationId}/services/{serviceId}/dbpipes/{dbPipeId}",
      { params: { path: { organizationId, serviceId, dbPipeId } } }
    )
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    return Envelope.parse(data).result
  }
})
