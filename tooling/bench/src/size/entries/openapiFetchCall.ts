import { openapiFetchReader } from "../../client/openapiFetch.ts"

export const call = (
  baseUrl: string,
  keyId: string,
  keySecret: string,
  address: { readonly organizationId: string; readonly serviceId: string; readonly pipeId: string }
) => {
  const { organizationId, pipeId: dbPipeId, serviceId } = address
  return openapiFetchReader(baseUrl, `Basic ${btoa(`${keyId}:${keySecret}`)}`)({ organizationId, serviceId, dbPipeId })
}
