import * as Schema from "effect/Schema"

/** The states of an API key: a closed set. A disabled key cannot authenticate. Contract: section 3. */
export const ApiKeyState = Schema.Literals(["enabled", "disabled"])
/** What {@link ApiKeyState} decodes to. */
export type ApiKeyState = typeof ApiKeyState.Type
