import { keySuffix } from "@headgate/core/adapter"
import { dashboardChange } from "./dashboardChange.ts"
import { type Difference, newFields } from "./differences.ts"
import { resourceKinds } from "./kinds.ts"
import { keyChange, keyRequest } from "./keyChange.ts"
import { isOwned, type LockEntry } from "./lockFile.ts"
import type { Match, Matches, RemoteResource } from "./matchResources.ts"
import { pipeChange, pipeRequest } from "./pipeChange.ts"
import { redactedPipe } from "./pipeSecrets.ts"
import type { ResourceChange, Step } from "./Step.ts"

/** A change of one resource. */
export type Change =
  | {
      readonly action: "create"
      readonly match: Match
      readonly differences: ReadonlyArray<Difference>
      readonly steps: ReadonlyArray<Step>
    }
  | {
      readonly action: "update" | "replace"
      readonly match: Match
      readonly remote: RemoteResource
      readonly differences: ReadonlyArray<Difference>
      readonly steps: ReadonlyArray<Step>
    }
  | {
      readonly action: "delete"
      readonly entry: LockEntry
      readonly remote: RemoteResource
      readonly differences: []
      readonly steps: ReadonlyArray<Step>
    }

export interface PlanOptions {
  /** Delete and create what cannot be changed. */
  readonly replace: boolean
  /** Delete what this directory created and has no file for any more. */
  readonly prune: boolean
  /** Send the secrets of pipes that exist. */
  readonly sendSecrets: boolean
  /** The key ID of the caller, whose key is never deleted; none with a token alone. */
  readonly keyId: string | undefined
}

export interface Plan {
  readonly changes: ReadonlyArray<Change>
  /** The matches that need no change. */
  readonly unchanged: ReadonlyArray<Match>
  /** What this directory created and has no file for: `prune` would delete it. */
  readonly kept: ReadonlyArray<RemoteResource>
  /** What has no file any more and is not deleted, also with `prune`. */
  readonly stays: ReadonlyArray<{ readonly remote: RemoteResource; readonly why: "isCallersKey" | "isNotOwn" }>
  /** Why the plan cannot be carried out. */
  readonly problems: ReadonlyArray<string>
}

const requests = { dashboard: ({ value }: Match["file"]) => value, pipe: pipeRequest, key: keyRequest }

const createSteps = ({ file }: Match): ReadonlyArray<Step> => [{ type: "create", request: requests[file.kind](file) }]

const resourceChange = (match: Match, remote: RemoteResource, { sendSecrets }: PlanOptions): ResourceChange => {
  if (match.file.kind === "pipe") return pipeChange(match.file, remote, sendSecrets)
  return match.file.kind === "key" ? keyChange(match.file, remote) : dashboardChange(match, remote)
}

const matchChange = (match: Match, options: PlanOptions): ReadonlyArray<Change> => {
  const { remote } = match
  if (remote === undefined) {
    const { kind, value } = match.file
    const differences = newFields(kind === "pipe" ? redactedPipe(value) : value)
    return [{ action: "create", match, differences, steps: createSteps(match) }]
  }
  const { differences, immutable, steps } = resourceChange(match, remote, options)
  if (immutable.length > 0) {
    const replacement: ReadonlyArray<Step> = [{ type: "delete" }, ...createSteps(match)]
    return [{ action: "replace", match, remote, differences: immutable, steps: replacement }]
  }
  return steps.length === 0 ? [] : [{ action: "update", match, remote, differences, steps }]
}

const isOwnKey = ({ document, kind }: RemoteResource, keyId: string | undefined): boolean =>
  kind === "key" && keyId !== undefined && document["keySuffix"] === keySuffix(keyId)

/**
 * Makes the plan: what has to be sent so that the service is as the files say. It is a pure function of the files, the lock
 * file and what the service answered.
 */
export const plan = ({ matches, orphans, problems }: Matches, options: PlanOptions): Plan => {
  const inOrder = resourceKinds.flatMap((kind) => matches.filter(({ file }) => file.kind === kind))
  const planned = inOrder.map((match) => ({ match, changes: matchChange(match, options) }))
  const changes = planned.flatMap(({ changes }) => changes)
  const removed = orphans.flatMap(({ entry, remote }) => {
    if (remote === undefined) return []
    const why = isOwnKey(remote, options.keyId) ? "isCallersKey" : isOwned(entry) ? undefined : "isNotOwn"
    return [{ entry, remote, why } as const]
  })
  const own = removed.filter(({ why }) => why === undefined)
  const deletions = own.map(({ entry, remote }): Change => ({
    action: "delete",
    entry,
    remote,
    differences: [],
    steps: [{ type: "delete" }]
  }))
  return {
    changes: options.prune ? [...changes, ...deletions] : changes,
    unchanged: planned.flatMap(({ changes, match }) => (changes.length === 0 ? [match] : [])),
    kept: options.prune ? [] : own.map(({ remote }) => remote),
    stays: removed.flatMap(({ remote, why }) => (why === undefined ? [] : [{ remote, why }])),
    problems: [
      ...problems,
      ...changes.flatMap((change) =>
        change.action !== "replace" || options.replace
          ? []
          : [
              `${change.match.file.file}: ${change.differences.map(({ path }) => path).join(", ")} cannot change: ` +
                `--replace deletes the ${change.remote.kind} "${change.remote.name}" and creates it anew`
            ]
      )
    ]
  }
}
