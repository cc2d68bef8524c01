import { type AddressInfo, createServer } from "node:net"

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

/** The guide's machine: its files are in a directory, its ports are free ones. */
export interface Place {
  /** A text of the guide with the paths and ports of this machine. */
  readonly here: (text: string) => string
  /** A text of this machine with the paths and ports of the guide. */
  readonly there: (text: string) => string
}

/** Maps the guide's machine to `root`. */
export const makePlace = async (root: string): Promise<Place> => {
  const mapped = new Map<string, string>()
  for (const port of ["7420", "7430", "7440"]) mapped.set(port, String(await freePort()))
  return {
    here: (text) => text.replaceAll(paths, `${root}/`).replaceAll(ports, (port) => mapped.get(port) ?? port),
    there: (text) =>
      Array.from(mapped)
        .reduce((rest, [port, free]) => rest.replaceAll(new RegExp(`(?<=:|port )${free}\\b`, "g"), port), text)
        .replaceAll(root, "")
  }
}
