import { kafkaFieldsOfCreation, pipeSourceKinds, transition } from "@headgate/core/adapter"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Result from "effect/Result"
import { type Difference, differences } from "./differences.ts"
import type { FileResource } from "./directory.ts"
import { downStates } from "./kinds.ts"
import type { RemoteResource } from "./matchResources.ts"
import { elementsOf, fieldAt, type Members, membersOf, without, withFieldAt } from "./members.ts"
import { secretsIn, withoutSecrets } from "./pipeSecrets.ts"
import type { ResourceChange, Step } from "./Step.ts"

/** The request that creates the pipe of a file. */
export const pipeRequest = ({ value: { stopped, ...request } }: FileResource): Members =>
  stopped === true ? { ...request, startPaused: true } : request

const kindOf = (source: Members): string | undefined =>
  pipeSourceKinds.find((kind) => Predicate.isNotNullish(source[kind]))

/** The name by which the service finds a table mapping: that of its source. */
const mappingName = (mapping: unknown): string =>
  Object.entries(membersOf(mapping))
    .filter(([name]) => name.startsWith("source"))
    .toSorted()
    .map(([, value]) => String(value))
    .join(".")

/** The table mappings to add and to remove. One that differs is removed and added. */
const mappingChanges = (stored: unknown, wanted: unknown): Members => {
  if (!Array.isArray(wanted)) return {}
  const has = (list: unknown, one: unknown, how: (other: unknown, one: unknown) => boolean) =>
    elementsOf(list).some((other) => mappingName(other) === mappingName(one) && how(other, one))
  const isAsWanted = (other: unknown, one: unknown) => differences(other, one, "given").length === 0
  const tableMappingsToAdd = wanted.filter((mapping) => !has(stored, mapping, isAsWanted))
  const tableMappingsToRemove = elementsOf(stored).filter(
    (mapping) => !has(wanted, mapping, (one, other) => isAsWanted(other, one))
  )
  return {
    ...(tableMappingsToRemove.length > 0 ? { tableMappingsToRemove } : {}),
    ...(tableMappingsToAdd.length > 0 ? { tableMappingsToAdd } : {})
  }
}

/** The secrets to send: all, or those of a method of authentication that changes, because the service drops the old ones. */
const secretsToSend = (wanted: Members, stored: Members, all: boolean): ReadonlyArray<string> =>
  secretsIn(wanted).filter((path) => {
    const method = [...path.split(".").slice(0, -1), "authentication"].join(".")
    return all || differences(fieldAt(stored, method), fieldAt(wanted, method), "given").length > 0
  })

const changed = (stored: Members, wanted: Members): Members =>
  Record.filter(wanted, (value, name) => differences(stored[name], value, "given").length > 0)

interface SourceChange {
  readonly differences: ReadonlyArray<Difference>
  readonly request: Members
  readonly hasTables: boolean
}

/** The changes of a source of the same kind: the members that differ, and secrets, each member as a whole. */
const sourceChange = (kind: string, wanted: Members, stored: Members, sendSecrets: boolean): SourceChange => {
  const open = withoutSecrets(wanted)
  const secrets = secretsToSend(wanted, stored, sendSecrets)
  const { tableMappings, ...members } = membersOf(open[kind])
  const { tableMappings: storedMappings, ...storedMembers } = membersOf(stored[kind])
  const tables = mappingChanges(storedMappings, tableMappings)
  const found = differences(stored, open, "given")
  // Sent whole: a member replaces the stored one. What it has beside its secret is the same.
  const withSecrets = secrets.map((path) => path.split(".")[1] ?? "")
  const request = withSecrets.reduce<Members>(
    (request, member) => ({ ...request, [member]: fieldAt(open, `${kind}.${member}`) ?? null }),
    { ...changed(storedMembers, members), ...tables }
  )
  const source = secrets.reduce<Members>((source, path) => withFieldAt(source, path, fieldAt(wanted, path)), {
    [kind]: request
  })
  const { [kind]: _, ...others } = open
  const sourceRequest = { ...changed(stored, others), ...(Record.isEmptyReadonlyRecord(request) ? {} : source) }
  return {
    differences: [
      ...found.map((difference) => ({ ...difference, path: `source.${difference.path}` })),
      ...secrets.map((path) => ({ path: `source.${path}`, before: "<redacted>", after: "<redacted>" }))
    ],
    request: sourceRequest,
    hasTables: Object.keys(tables).length > 0
  }
}

/** Whether `stop` would change anything in a state: what has ended or failed is stopped. */
const isRunning = (state: string): boolean =>
  Result.match(transition("streaming", state, "stop"), {
    onFailure: () => false,
    onSuccess: (path) => path.length > 0
  })

/** The states that an update needs before and after it. */
const stateSteps = (stopped: unknown, state: string, update: ReadonlyArray<Step>, hasTables: boolean) => {
  const isDown = downStates.includes(state)
  const isWrong = stopped === true ? isRunning(state) : stopped === false && isDown
  const wish: ReadonlyArray<Step> = isWrong ? [{ type: stopped === true ? "stop" : "start" }] : []
  if (!hasTables) return [...update, ...wish]
  const staysDown = Predicate.isBoolean(stopped) ? stopped : isDown
  const stop: Step = { type: "stop" }
  const start: Step = { type: "start" }
  // A change of tables needs a pipe that stands, and starts it.
  return [...(state === "Stopped" || state === "Paused" ? [] : [stop]), ...update, staysDown ? stop : start]
}

const ownFields = ["stopped", "source", "destination", "scaling", "settings"]

/** What changes a pipe. Fields that the file leaves out stay as they are; `null` removes one. */
export const pipeChange = (file: FileResource, remote: RemoteResource, sendSecrets: boolean): ResourceChange => {
  const wanted = file.value
  const stored = remote.document
  const [source, storedSource] = [membersOf(wanted["source"]), withoutSecrets(membersOf(stored["source"]))]
  const kind = kindOf(source) ?? ""
  const { columns, ...destination } = membersOf(wanted["destination"])
  const storedDestination = membersOf(stored["destination"])
  const immutable = [
    ...(kind === kindOf(storedSource)
      ? kafkaFieldsOfCreation.flatMap((field) => {
          const now = fieldAt(storedSource, `kafka.${field}`) ?? false
          return differences(now, fieldAt(source, `kafka.${field}`) ?? now, "given", `source.kafka.${field}`)
        })
      : [{ path: "source", before: kindOf(storedSource), after: kind }]),
    ...differences(storedDestination, destination, "given", "destination")
  ]
  if (immutable.length > 0) return { differences: [], steps: [], immutable }

  const ofSource = sourceChange(kind, source, storedSource, sendSecrets)
  const settings = changed(membersOf(stored["settings"]), membersOf(wanted["settings"]))
  const scaling = changed(membersOf(stored["scaling"]), membersOf(wanted["scaling"]))
  const ofColumns = differences(storedDestination["columns"], columns, "given", "destination.columns")
  const others = changed(stored, without(wanted, ownFields))
  const request: Members = {
    ...others,
    ...(Record.isEmptyReadonlyRecord(ofSource.request) ? {} : { source: ofSource.request }),
    ...(columns === undefined || ofColumns.length === 0 ? {} : { destination: { columns } }),
    ...(Record.isEmptyReadonlyRecord(settings) ? {} : { settings })
  }
  const update: ReadonlyArray<Step> = [
    ...(Record.isEmptyReadonlyRecord(request) ? [] : [{ type: "update", request } as const]),
    ...(Record.isEmptyReadonlyRecord(scaling) ? [] : [{ type: "scale", request: scaling } as const])
  ]
  const state = String(stored["state"])
  const steps = stateSteps(wanted["stopped"], state, update, ofSource.hasTables)
  const isStopped = !isRunning(state) || downStates.includes(state)
  const wish = steps.some(({ type }) => type === "stop" || type === "start") ? wanted["stopped"] : undefined
  return {
    differences: [
      ...differences(stored, without(wanted, ["stopped", "source", "destination"]), "given"),
      ...ofSource.differences,
      ...(columns === undefined ? [] : ofColumns),
      ...(Predicate.isBoolean(wish) ? differences(isStopped, wish, "given", "stopped") : [])
    ],
    steps,
    immutable: []
  }
}
