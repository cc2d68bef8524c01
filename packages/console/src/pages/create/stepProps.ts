import type { PipeForm } from "./pipeForm.ts"
import type { PipeDraft } from "./pipeRequest.ts"

/** What each step is given. */
export interface StepProps {
  readonly form: PipeForm
  readonly draft: PipeDraft
  readonly onChange: (draft: PipeDraft) => void
  /** What is wrong, by the path in the request. */
  readonly errors: Readonly<Record<string, string>>
}
