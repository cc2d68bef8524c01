import { type Fields, isFields } from "../../format/fields.ts"

/** How a pipe moves, which decides what can be done with it. */
export type PipeKind = "streaming" | "oneShot" | "cdc" | "snapshot"

/** What can be done with a pipe. `accept` is to go on with its tables as they are now. */
export type Command =
  | "start"
  | "stop"
  | "resync"
  | "resume"
  | "accept"
  | "adopt"
  | "scale"
  | "settings"
  | "rename"
  | "delete"

const fieldsOf = (value: unknown): Fields | undefined => (isFields(value) ? value : undefined)

/** How a pipe with this source moves. */
export const kindOf = (source: unknown): PipeKind => {
  const { bigquery, mongodb, mysql, objectStorage, postgres } = fieldsOf(source) ?? {}
  if (fieldsOf(bigquery) !== undefined) return "snapshot"
  const database = fieldsOf(postgres) ?? fieldsOf(mysql) ?? fieldsOf(mongodb)
  if (database !== undefined)
    return fieldsOf(database["settings"])?.["replicationMode"] === "snapshot" ? "snapshot" : "cdc"
  const files = fieldsOf(objectStorage)
  return files !== undefined && files["isContinuous"] !== true ? "oneShot" : "streaming"
}

/** A pipe, as far as its commands depend on it. */
export interface Commanded {
  readonly kind: PipeKind
  readonly state: string
  readonly isSimulated: boolean
}

const isDatabase = (kind: PipeKind): boolean => kind === "cdc" || kind === "snapshot"

const stopping = ["Stopping", "Pausing"]
const resting = ["Stopped", "Paused", "Failed"]
const starting = ["Provisioning", "Setup"]

const rules: Readonly<Record<Command, (pipe: Commanded) => boolean>> = {
  start: ({ state }) => [...resting, "InternalError"].includes(state),
  stop: ({ state }) => ![...resting, ...stopping, "Completed"].includes(state),
  resync: ({ kind, state }) => isDatabase(kind) && ![...stopping, ...starting, "Resync"].includes(state),
  resume: ({ isSimulated, kind, state }) =>
    !isSimulated && !isDatabase(kind) && [...resting, "InternalError"].includes(state),
  accept: ({ isSimulated, state }) =>
    !isSimulated && ![...stopping, ...starting, "Snapshot", "Modifying", "Resync"].includes(state),
  adopt: ({ isSimulated }) => isSimulated,
  scale: () => true,
  settings: () => true,
  rename: () => true,
  delete: () => true
}

/** Whether the state of a pipe allows a command, and it would change something. */
export const allows = (pipe: Commanded, command: Command): boolean => rules[command](pipe)

/** A decision about a pipe that cannot go on by itself. */
export interface Decision {
  /** As the command line has it. */
  readonly flag: string
  readonly request: {
    readonly from?: "start" | "ledger" | "warehouse"
    readonly pending?: "replay" | "skip"
    readonly acceptTable?: true
  }
  readonly meaning: string
}

const decisions: ReadonlyArray<Decision> = [
  {
    flag: "--from warehouse",
    request: { from: "warehouse" },
    meaning:
      "Go on from what the warehouse has, such as after the warehouse or the server's database was restored: nothing is lost, and nothing is there twice but a batch that was being inserted."
  },
  {
    flag: "--from ledger",
    request: { from: "ledger" },
    meaning:
      "Go on from what the server knows. Rows in between are twice in the table if that is behind the warehouse, and missing if it is ahead."
  },
  {
    flag: "--from start",
    request: { from: "start" },
    meaning:
      "Read from where a new pipe would begin. The counts begin at 0, and rows that are in the table already may be there twice."
  },
  {
    flag: "--replay",
    request: { pending: "replay" },
    meaning: "Insert the batches again that may be in the table already: their rows may be there twice."
  },
  {
    flag: "--skip",
    request: { pending: "skip" },
    meaning: "Leave these batches out, and the rows that the source no longer has: they are missing in the table."
  },
  {
    flag: "--accept-table",
    request: { acceptTable: true },
    meaning: "Go on, where it is, with tables that were exchanged, renamed or altered on purpose."
  }
]

/** The decisions that a pipe can be given now. Objects of a storage are staged, so none of their batches is inserted again or left out. */
export const decisionsOf = (pipe: Commanded, isObjects: boolean): ReadonlyArray<Decision> =>
  decisions.filter(({ request }) =>
    request.acceptTable === true
      ? allows(pipe, "accept")
      : allows(pipe, "resume") && !(isObjects && request.pending !== undefined)
  )

/** The flags of the decisions that a message names, such as `headgate pipe resume NAME --skip`. */
export const namedFlags = (message: string | null | undefined): ReadonlyArray<string> => {
  const text = message ?? ""
  return /pipe resume/.test(text)
    ? decisions.flatMap(({ flag }) => (new RegExp(`${flag}(?![\\w-])`).test(text) ? [flag] : []))
    : []
}

/** Whether a message names a resync. */
export const namesResync = (message: string | null | undefined): boolean => /\bresync\b/.test(message ?? "")

/** The argument of a command line that names a pipe: its name where it needs no quotes. */
export const argumentOf = (pipe: { readonly id: string; readonly name: string }): string =>
  /^[A-Za-z_][\w.-]*$/.test(pipe.name) ? pipe.name : pipe.id
