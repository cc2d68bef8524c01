import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { asFailed, CallFailed } from "../../data/CallFailed.ts"
import { Failed } from "../../parts/Conditions.tsx"
import { Copied, Copy } from "../../parts/Copy.tsx"
import type { PipeForm } from "./pipeForm.ts"
import { reviewOf } from "./review.ts"

interface ReviewStepProps {
  readonly form: PipeForm
  readonly request: { readonly name: string }
  /** Asks the server whether it would create the pipe. */
  readonly check: () => Promise<unknown>
  readonly create: () => Promise<unknown>
  /** Shows what the server finds wrong at its field; false if no field has it. */
  readonly onInvalid: (failed: CallFailed) => boolean
  /** The button that leads to the step before. */
  readonly back: ComponentChildren
}

const Document = ({ of, text }: { readonly of: string; readonly text: string }) => (
  <div class="document">
    <pre class="raw" tabIndex={0} role="region" aria-label={of}>
      {text}
    </pre>
    <Copy of={of} text={text} />
  </div>
)

type Condition = "checking" | "right" | "creating" | CallFailed

const Told = ({ condition }: { readonly condition: Condition }) => {
  if (condition instanceof CallFailed) return <Failed failed={condition} />
  if (condition === "checking") return <p role="status">The server checks the request, and asks the source …</p>
  return condition === "right" ? (
    <p role="status" class="state-good">
      <span aria-hidden="true">●</span> The server would create this pipe.
    </p>
  ) : (
    <p role="status">The pipe is created …</p>
  )
}

/** The step that shows the request in every form that people keep, checks it, and creates the pipe. */
export const ReviewStep = ({ back, check, create, form, onInvalid, request }: ReviewStepProps) => {
  const condition = useSignal<Condition>("checking")
  const run = async (doing: "checking" | "creating", action: () => Promise<unknown>) => {
    condition.value = doing
    try {
      await action()
      if (doing === "checking") condition.value = "right"
    } catch (error) {
      const failed = asFailed(error)
      condition.value = failed
      onInvalid(failed)
    }
  }
  useEffect(() => {
    void run("checking", check)
  }, [])
  const isBusy = condition.value === "checking" || condition.value === "creating"
  const review = reviewOf(form.request, request)
  return (
    <>
      <Told condition={condition.value} />
      <h3>As the request</h3>
      <p class="quiet">
        Save it as <code>{review.jsonFile}</code>, with the secrets in their places; the command creates the pipe.
      </p>
      <Document of="request" text={review.json} />
      <Copied of="command" text={review.command} />
      <h3>As a file for apply</h3>
      <p class="quiet">
        Save it as <code>{review.yamlFile}</code> in a directory.
        {review.variables.length === 0 ? null : (
          <> The secrets are taken from {review.variables.map((name) => `$${name}`).join(", ")}.</>
        )}
      </p>
      <Document of="file" text={review.yaml} />
      <Copied of="command for the file" text="headgate apply -f ." />
      <div class="row">
        {back}
        <button type="button" disabled={isBusy} onClick={() => void run("checking", check)}>
          Check again
        </button>
        <button type="button" class="primary" disabled={isBusy} onClick={() => void run("creating", create)}>
          Create
        </button>
      </div>
    </>
  )
}
