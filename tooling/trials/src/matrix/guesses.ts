import { WireConnection } from "../http/WireConnection.ts"
import { basic } from "../load/World.ts"
import { proxyAddress } from "./dimensions.ts"
import type { MatrixKey } from "./world.ts"

const pairs = 1500

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/**
 * How long a guess at a secret takes when the key ID is one that exists and when it is none: one after the other, so
 * that whatever else the machine does falls on both. A figure to read, no verdict: a shared machine would decide it.
 */
export const compareGuesses = async (url: string, key: MatrixKey): Promise<string> => {
  const connection = new WireConnection({ url, localAddress: proxyAddress })
  const path = `/v1/organizations/${key.organizationId}/keys`
  const guess = async (keyId: string, took: Array<number>) => {
    const begun = performance.now()
    const request = `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: ${basic(keyId, "hgs_guess")}\r\ncontent-length: 0\r\n\r\n`
    await connection.exchange(Buffer.from(request), "POST")
    took.push(performance.now() - begun)
  }
  const known: Array<number> = []
  const unknown: Array<number> = []
  for (let pair = 0; pair < pairs; pair++) {
    await guess(key.keyId, known)
    await guess(`${key.keyId.slice(0, -1)}!`, unknown)
  }
  connection.close()
  const micros = (took: ReadonlyArray<number>) => `${(median(took) * 1000).toFixed(0)} us`
  return `a guess at a secret takes ${micros(known)} with a key ID that exists, ${micros(unknown)} with one that does not (medians of ${pairs})`
}
