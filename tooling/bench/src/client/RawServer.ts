import { startHelper } from "@headgate/harness/HelperProcess"
import { countPath } from "./served.ts"

/** The server of the client benchmark in a process of its own: its CPU time is not measured. */
export interface RawServer {
  readonly url: string
  /** How many requests it has answered with the full pipe. */
  readonly served: () => Promise<number>
  readonly stop: () => void
}

export const startRawServer = async (): Promise<RawServer> => {
  const { next, stop } = startHelper(new URL("rawServer.main.ts", import.meta.url))
  const url = String(await next())
  return { url, stop, served: async () => Number(await (await fetch(url + countPath)).text()) }
}
