import { createClient, type PipeAddress } from "@headgate/client"

export const call = (baseUrl: string, keyId: string, keySecret: string, address: PipeAddress) =>
  createClient({ management: { baseUrl, keyId, keySecret } }).pipes.get(address)
