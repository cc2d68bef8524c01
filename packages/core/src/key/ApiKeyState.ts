import * as Schema from "effect/Schema"

/**
 * The state of an API key, a closed set. A disabled key cannot authenticate. Contract:
 * docs/wire-contract.md#fields-of-an-api-key.
 */
export const ApiKeyState = Schema.Literals(["enabled", "disabled"])
export type ApiKeyState = typeof ApiKeyState.Type
