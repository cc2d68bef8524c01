// A page that uses types of the client and nothing else: its script is this one line.
import type { Pipe } from "@headgate/client"

export const stateOf = ({ state }: Pipe) => state
