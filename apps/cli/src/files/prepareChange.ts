import * as Effect from "effect/Effect"
import { checkSecretsDirectory } from "./keyCredentials.ts"
import type { Change } from "./plan.ts"
import type { Step } from "./Step.ts"
import { subjectOf } from "./planText.ts"
import { resolveSecrets } from "./secretReferences.ts"
import { creation, scaling, update } from "./sendStep.ts"
import type { Target } from "./target.ts"

/** Makes the requests of a change with their secrets, and checks them. Nothing is sent: a missing secret stops nothing half-way. */
export const prepareChange = (target: Target, secretsDirectory: string | undefined) =>
  Effect.fnUntraced(function* (change: Change) {
    const { file, kind } = subjectOf(change)
    const isBegun = change.action === "create" && change.match.entry?.creation !== undefined
    const isNewKey = kind === "key" && change.action === "create"
    const secrets = isNewKey ? yield* checkSecretsDirectory(secretsDirectory, file, isBegun) : undefined
    const prepare = Effect.fnUntraced(function* (step: Step) {
      if (!("request" in step)) return step
      const request = yield* resolveSecrets(target.directory, file, step.request)
      if (step.type === "create") return { type: step.type, request, send: yield* creation(kind, target, request) }
      const send = step.type === "update" ? yield* update(kind, target, request) : yield* scaling(target, request)
      return { type: step.type, send }
    })
    return { change, secrets, steps: yield* Effect.forEach(change.steps, prepare) }
  })

export type PreparedChange = Effect.Success<ReturnType<ReturnType<typeof prepareChange>>>
