import { freePorts } from "@headgate/harness/freePorts"
import * as Effect from "effect/Effect"

const paths = /(?<![\w./}-])\/(?=(?:etc|opt|srv|var)\/)/g
const ports = /(?<=[:= ])(7420|7430|7440)\b/g

/** The guide's machine: its files are in a directory, its ports are free ones. */
export interface Place {
  /** A text of the guide with the paths and ports of this machine. */
  readonly here: (text: string) => string
  /** A text of this machine with the paths and ports of the guide. */
  readonly there: (text: string) => string
}

/** Maps the guide's machine to `root`. */
export const makePlace = async (root: string): Promise<Place> => {
  const own = ["7420", "7430", "7440"]
  const free = await Effect.runPromise(freePorts(own.length))
  const mapped = new Map(own.map((port, index) => [port, String(free[index])]))
  return {
    here: (text) => text.replaceAll(paths, `${root}/`).replaceAll(ports, (port) => mapped.get(port) ?? port),
    there: (text) =>
      Array.from(mapped)
        .reduce((rest, [port, free]) => rest.replaceAll(new RegExp(`(?<=:|port )${free}\\b`, "g"), port), text)
        .replaceAll(root, "")
  }
}
