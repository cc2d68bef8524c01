import { type Step, stepTitles } from "./pipeRequest.ts"

interface StepsProps {
  readonly steps: ReadonlyArray<Step>
  readonly current: Step
  /** Whether a step can be opened: all before it are right. */
  readonly isOpen: (step: Step) => boolean
  readonly onOpen: (step: Step) => void
}

/** The steps, of which those can be opened that were reached. */
export const Steps = ({ current, isOpen, onOpen, steps }: StepsProps) => (
  <nav aria-label="Steps">
    <ol class="steps">
      {steps.map((step) => (
        <li key={step}>
          <button
            type="button"
            aria-current={step === current ? "step" : undefined}
            disabled={step !== current && !isOpen(step)}
            onClick={() => onOpen(step)}
          >
            {stepTitles[step]}
          </button>
        </li>
      ))}
    </ol>
  </nav>
)
