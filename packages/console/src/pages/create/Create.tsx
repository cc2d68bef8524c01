import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { inDialect } from "../../data/call.ts"
import { asFailed, CallFailed } from "../../data/CallFailed.ts"
import { calls } from "../../data/calls.ts"
import { openApi } from "../../data/openApi.ts"
import { Failed } from "../../parts/Conditions.tsx"
import { Title } from "../../parts/Title.tsx"
import { CreateSteps } from "./CreateSteps.tsx"
import { type PipeForm, pipeFormOf } from "./pipeForm.ts"

/** The page that creates a pipe, step by step. */
export const Create = ({
  organizationId,
  serviceId
}: {
  readonly organizationId: string
  readonly serviceId: string
}) => {
  const form = useSignal<PipeForm | undefined>(undefined)
  const failed = useSignal<CallFailed | undefined>(undefined)
  const read = async () => {
    failed.value = undefined
    const { method, path } = calls.pipe.create
    try {
      form.value = pipeFormOf(await openApi(), method, inDialect(path))
      if (form.value === undefined) failed.value = new CallFailed("The OpenAPI document of the server has no new pipe.")
    } catch (error) {
      failed.value = asFailed(error)
    }
  }
  const load = () => void read()
  useEffect(load, [])
  return (
    <>
      <Title>New pipe</Title>
      {failed.value === undefined ? null : <Failed failed={failed.value} retry={load} />}
      {form.value === undefined ? (
        failed.value === undefined ? (
          <p class="loading">Loading the fields …</p>
        ) : null
      ) : (
        <CreateSteps form={form.value} address={{ organizationId, serviceId }} />
      )}
    </>
  )
}
