import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import type { CallFailed } from "../../data/CallFailed.ts"
import { calls } from "../../data/calls.ts"
import { fieldErrorsOf } from "../../data/fieldErrors.ts"
import { makeKeyOfRequest } from "../../data/idempotencyKey.ts"
import { pathOf, paths } from "../../data/paths.ts"
import { go, place } from "../../data/route.ts"
import { focusWrong } from "../../parts/focusWrong.ts"
import { rowsOfFields } from "./columnRows.ts"
import type { Discovered } from "./DiscoverStep.tsx"
import type { PipeForm } from "./pipeForm.ts"
import { emptyDraft, errorsOfStep, firstWrong, type PipeDraft, readPipe, type Step, stepsOf } from "./pipeRequest.ts"
import { serverErrors } from "./serverErrors.ts"

/** The service in which a pipe is created. */
export interface ServiceAddress {
  readonly organizationId: string
  readonly serviceId: string
}

/** The step of the URL, or the first before it that is not right yet. */
const stepNow = (all: ReadonlyArray<Step>, isRight: (step: Step) => boolean) => {
  // A step is open if all before it are right: a link to a later one leads to the first that is not.
  const isOpen = (step: Step) => all.slice(0, all.indexOf(step)).every(isRight)
  const wanted = all.find((step) => step === place.value.query.get("step")) ?? "source"
  return { isOpen, step: isOpen(wanted) ? wanted : (all.find((one) => !isRight(one)) ?? "source") }
}

/** What was typed, where the page is, and what can be done. It is gone when the page is left. */
export const useCreation = (form: PipeForm, address: ServiceAddress) => {
  const draft = useSignal<PipeDraft>(emptyDraft)
  const errors = useSignal<Readonly<Record<string, string>>>({})
  const discovered = useSignal<{ readonly of: string; readonly what: Discovered } | undefined>(undefined)
  const keyOf = useRef(makeKeyOfRequest())
  const { kind } = draft.value
  const all = stepsOf(kind)
  const read = readPipe(form, draft.value, navigator.language)
  const isRight = (step: Step) => Object.keys(errorsOfStep(read.errors, step, kind)).length === 0
  const { isOpen, step } = stepNow(all, isRight)
  const open = (to: Step) => go(`${pathOf(paths.create, { ...address })}?step=${to}`)
  const request = { ...address, ...read.request }
  const source = JSON.stringify(read.request.source)
  return {
    all,
    draft: draft.value,
    step,
    before: all[all.indexOf(step) - 1],
    errors: errorsOfStep(errors.value, step, kind),
    request: read.request,
    discovered: discovered.value?.of === source ? discovered.value.what : undefined,
    isOpen,
    open,
    change: (next: PipeDraft) => {
      draft.value = next
      // What is right now is no longer marked; what the server found wrong is, until it is asked again.
      const now = readPipe(form, next, navigator.language).errors
      errors.value = Object.fromEntries(
        Object.entries(errors.value).filter(([path]) => read.errors[path] === undefined || now[path] !== undefined)
      )
    },
    /** Goes on to the following step, or to the first field that is wrong. */
    next: () => {
      const wrong = errorsOfStep(read.errors, step, kind)
      errors.value = wrong
      const following = all[all.indexOf(step) + 1]
      if (Object.keys(wrong).length > 0) focusWrong("main")
      else if (following !== undefined) open(following)
    },
    /** Leads to the field that the server finds wrong; false if no field of the page has it. */
    onInvalid: (failed: CallFailed): boolean => {
      if (failed.failure !== "invalid") return false
      const told = serverErrors(form, draft.value, fieldErrorsOf(failed.message))
      const wrong = firstWrong(told, kind)
      if (wrong === undefined) return false
      errors.value = told
      open(wrong)
      return true
    },
    onDiscovered: (what: Discovered) => {
      discovered.value = { of: source, what }
      draft.value = { ...draft.value, columns: rowsOfFields(what.fields, draft.value.columns) }
    },
    check: () => calls.pipe.create(request, { validateOnly: true }),
    create: async () => {
      const { id } = await calls.pipe.create(request, { idempotencyKey: keyOf.current(request) })
      go(pathOf(paths.pipe, { ...address, pipeId: id }))
    }
  }
}
