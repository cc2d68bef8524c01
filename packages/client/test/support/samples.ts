/** Recognizable text, to search for in any output. */
export const secrets = {
  keySecret: "hgs_marked-key-secret-0123456789",
  token: "hgt_marked-token-0123456789",
  newKeySecret: "hgs_marked-new-key-secret-0123456789"
}

export const organizationId = "11111111-1111-4111-8111-111111111111"

export const address = {
  organizationId,
  serviceId: "22222222-2222-4222-8222-222222222222",
  pipeId: "33333333-3333-4333-8333-333333333333"
}

export const management = (baseUrl: string) => ({ baseUrl, keyId: "key-id", keySecret: secrets.keySecret })
export const observability = (baseUrl: string) => ({ baseUrl, token: secrets.token })

export const pipe = { id: address.pipeId, serviceId: address.serviceId, name: "orders", state: "Running" }

/** Resolves to what a call rejects with; rejects if the call succeeds. */
export const rejectionOf = async (call: PromiseLike<unknown>): Promise<unknown> => {
  let value: unknown
  try {
    value = await call
  } catch (error) {
    return error
  }
  throw new Error(`expected a rejection, got ${JSON.stringify(value)}`)
}
