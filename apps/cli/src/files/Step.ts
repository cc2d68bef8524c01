import type { Difference } from "./differences.ts"
import type { Members } from "./members.ts"

/** A request, or a wait, of a plan. Requests hold references to secrets, not the secrets. */
export type Step =
  | { readonly type: "create"; readonly request: Members }
  | { readonly type: "update"; readonly request: Members }
  | { readonly type: "scale"; readonly request: Members }
  | { readonly type: "stop" }
  | { readonly type: "start" }
  | { readonly type: "delete" }

/** What a resource needs to be as its file says. */
export interface ResourceChange {
  readonly differences: ReadonlyArray<Difference>
  readonly steps: ReadonlyArray<Step>
  /** The differences that only another resource can have. */
  readonly immutable: ReadonlyArray<Difference>
}
