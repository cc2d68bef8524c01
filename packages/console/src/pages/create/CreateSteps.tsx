import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { focusWrong } from "../../parts/focusWrong.ts"
import { DestinationStep } from "./DestinationStep.tsx"
import { DiscoverStep } from "./DiscoverStep.tsx"
import type { PipeForm } from "./pipeForm.ts"
import { type Step, stepTitles } from "./pipeRequest.ts"
import { ReviewStep } from "./ReviewStep.tsx"
import { FieldsStep, SourceStep } from "./SourceSteps.tsx"
import { Steps } from "./Steps.tsx"
import { type ServiceAddress, useCreation } from "./useCreation.ts"

interface CreateStepsProps {
  readonly form: PipeForm
  readonly address: ServiceAddress
}

/** The heading of a step. It gets the focus when another step is opened, or else the first field that is wrong. */
const StepHeading = ({ isWrong, step }: { readonly step: Step; readonly isWrong: boolean }) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    if (isWrong) focusWrong("main")
    else heading.current?.focus()
  }, [step])
  return (
    <h2 ref={heading} tabIndex={-1}>
      {stepTitles[step]}
    </h2>
  )
}

/** What is wrong in a step, with the path of each field as the request has it. */
const Wrong = ({ errors }: { readonly errors: Readonly<Record<string, string>> }) =>
  Object.keys(errors).length === 0 ? null : (
    <div class="failed" role="alert" tabIndex={-1}>
      <ul class="wrong">
        {Object.entries(errors).map(([path, message]) => (
          <li key={path}>
            <code>{path}</code>: {message}
          </li>
        ))}
      </ul>
    </div>
  )

interface BodyProps extends CreateStepsProps {
  readonly creation: ReturnType<typeof useCreation>
  readonly back: ComponentChildren
}

const Body = ({ address, back, creation, form }: BodyProps) => {
  const { change, check, create, discovered, draft, errors, onDiscovered, onInvalid, request, step } = creation
  const props = { form, draft, errors, onChange: change }
  switch (step) {
    case "source":
      return <SourceStep {...props} />
    case "fields":
      return <FieldsStep {...props} />
    case "discover":
      return (
        <DiscoverStep
          address={address}
          source={request.source}
          discovered={discovered}
          onDiscovered={onDiscovered}
          onInvalid={onInvalid}
        />
      )
    case "destination":
      return <DestinationStep {...props} />
    case "review":
      return (
        <ReviewStep form={form} request={request} check={check} create={create} onInvalid={onInvalid} back={back} />
      )
  }
}

/** The steps, one at a time. */
export const CreateSteps = ({ address, form }: CreateStepsProps) => {
  const creation = useCreation(form, address)
  const { all, before, errors, isOpen, next, open, step } = creation
  const back =
    before === undefined ? null : (
      <button type="button" onClick={() => open(before)}>
        Back
      </button>
    )
  return (
    <>
      <Steps steps={all} current={step} isOpen={isOpen} onOpen={open} />
      <form
        class="create"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (step !== "review") next()
        }}
      >
        <StepHeading step={step} isWrong={Object.keys(errors).length > 0} />
        <Wrong errors={errors} />
        <Body address={address} form={form} creation={creation} back={back} />
        {step === "review" ? null : (
          <div class="row">
            {back}
            <button type="submit" class="primary">
              Next
            </button>
          </div>
        )}
      </form>
    </>
  )
}
