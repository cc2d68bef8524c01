// What prints a stored help page, and loads no Effect.
export { type HelpPage, renderHelp } from "./HelpPage.ts"
export { styleOf } from "./style.ts"
