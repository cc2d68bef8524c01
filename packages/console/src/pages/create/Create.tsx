import { inDialect } from "../../data/call.ts"
import { CallFailed } from "../../data/CallFailed.ts"
import { calls } from "../../data/calls.ts"
import { openApi } from "../../data/openApi.ts"
import { usePoll } from "../../data/poll.ts"
import { Polled } from "../../parts/Conditions.tsx"
import { Title } from "../../parts/Title.tsx"
import { CreateSteps } from "./CreateSteps.tsx"
import { type PipeForm, pipeFormOf } from "./pipeForm.ts"
import type { ServiceAddress } from "./useCreation.ts"

const readForm = async (): Promise<PipeForm> => {
  const { method, path } = calls.pipe.create
  const form = pipeFormOf(await openApi(), method, inDialect(path))
  if (form === undefined) {
    throw new CallFailed("The OpenAPI document of the server does not have the request.", { failure: "page" })
  }
  return form
}

/** The page that creates a pipe, step by step. */
export const Create = ({ organizationId, serviceId }: ServiceAddress) => {
  const poll = usePoll(readForm, undefined, [])
  return (
    <>
      <Title>New pipe</Title>
      <Polled poll={poll} of="the fields">
        {(form) => <CreateSteps form={form} address={{ organizationId, serviceId }} />}
      </Polled>
    </>
  )
}
