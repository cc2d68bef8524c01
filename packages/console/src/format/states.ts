/** How a state is shown: never by colour alone. */
export interface StateMark {
  /** A shape beside the word. */
  readonly shape: string
  /** What it means for the operator of the pipe. */
  readonly tone: "good" | "busy" | "idle" | "warning" | "bad"
}

const marks: ReadonlyMap<string, StateMark> = new Map([
  ["Running", { shape: "●", tone: "good" }],
  ["Completed", { shape: "✓", tone: "good" }],
  ["Degraded", { shape: "▲", tone: "warning" }],
  ["Failed", { shape: "✕", tone: "bad" }],
  ["InternalError", { shape: "✕", tone: "bad" }],
  ["Stopped", { shape: "■", tone: "idle" }],
  ["Paused", { shape: "‖", tone: "idle" }],
  ["Enabled", { shape: "●", tone: "good" }],
  ["Disabled", { shape: "■", tone: "idle" }],
  ["Expired", { shape: "✕", tone: "bad" }]
])

const passing: StateMark = { shape: "◌", tone: "busy" }

/** The shape and the tone of a state; those that pass, and those that this version does not know, share one. */
export const markOf = (state: string): StateMark => marks.get(state) ?? passing
