import { createServer } from "node:net"
import type { AddressInfo } from "node:net"

const paths = /(?<![\w./}-])\/(?=(?:etc|opt|srv|var)\/)/g
const ports = /(?<=[:= ])(7420|7430|7440)\b/g

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo // of a TCP server that listens
      server.close(() => resolve(port))
    })
  })

/** Where the guide's machine is: its files in a directory, its ports free ones. */
export interface Place {
  /** A text of the guide, as it is true here. */
  readonly here: (text: string) => string
  /** What was printed here, as the guide would tell it. */
  readonly there: (text: string) => string
}

/** Puts the guide's machine into `root`. */
export const makePlace = async (root: string): Promise<Place> => {
  const mapped = new Map<string, string>()
  for (const port of ["7420", "7430", "7440"]) mapped.set(port, String(await freePort()))
  return {
    here: (text) => text.replaceAll(paths, `${root}/`).replaceAll(ports, (port) => mapped.get(port) ?? port),
    there: (text) => {
      const ported = Array.from(mapped).reduce((told, [port, free]) => told.replaceAll(`:${free}`, `:${port}`), text)
      const listening = Array.from(mapped).reduce(
        (told, [port, free]) => told.replaceAll(`port ${free}`, `port ${port}`),
        ported
      )
      return listening.replaceAll(root, "")
    }
  }
}
