import createClient from "openapi-fetch"
import * as z from "zod"
import { zodPipe } from "../../decode/contestants/zodPipe.ts"

interface Paths {
  "/v1/organizations/{organizationId}/services/{serviceId}/dbpipes/{dbPipeId}": {
    get: {
      parameters: { path: { organizationId: string; serviceId: string; dbPipeId: string } }
      responses: { 200: { content: { "application/json": unknown } } }
    }
  }
}

const Envelope = z.looseObject({ status: z.int(), requestId: z.guid(), result: zodPipe })

export const call = async (
  baseUrl: string,
  keyId: string,
  keySecret: string,
  address: { readonly organizationId: string; readonly serviceId: string; readonly pipeId: string }
) => {
  const headers = { authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}` }
  const { data } = await createClient<Paths>({ baseUrl, headers }).GET(
    "/v1/organizations/{organizationId}/services/{serviceId}/dbpipes/{dbPipeId}",
    {
      params: {
        path: { organizationId: address.organizationId, serviceId: address.serviceId, dbPipeId: address.pipeId }
      }
    }
  )
  return Envelope.parse(data).result
}
