import { publint } from "publint"
import { formatMessage } from "publint/utils"
import type { Tarball } from "../tarball/Tarball.ts"

/** The messages of publint, suggestions included. */
export const publintFaults = async (tarball: Tarball): Promise<ReadonlyArray<string>> => {
  const { messages, pkg } = await publint({ pack: { tarball: tarball.bytes.buffer }, strict: true })
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })} (${message.code})`)
}
