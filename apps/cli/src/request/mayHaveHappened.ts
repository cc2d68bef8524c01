import { escapeTerminalLine } from "@headgate/command-line"
import { type Noun, nounOf, type NounWithoutCommands } from "./operationOf.ts"
import type { ChangeRequest } from "./UnansweredChange.ts"

const done: Readonly<Record<string, string>> = { POST: "created", DELETE: "deleted" }

/** What a noun is called, and the command that shows how it is now, if there is one. */
const nouns: {
  readonly [Name in Exclude<Noun, NounWithoutCommands>]: { readonly name: string; readonly command: string }
} & { readonly [Name in NounWithoutCommands]?: undefined } = {
  organization: { name: "organization", command: "organization get" },
  service: { name: "service", command: "service get" },
  cdcScaling: { name: "size of the shared replica", command: "pipe cdc-scaling get" },
  endpoint: { name: "private endpoint", command: "private-endpoint list" },
  pipe: { name: "pipe", command: "pipe list" },
  key: { name: "key", command: "key list" },
  role: { name: "role", command: "role list" },
  dashboard: { name: "dashboard", command: "dashboard list" },
  serviceDashboard: { name: "dashboard", command: "dashboard list" },
  connection: { name: "connection", command: "connection list" },
  source: { name: "source", command: "source list" },
  serviceSource: { name: "source", command: "source list" },
  savedSearch: { name: "saved search", command: "saved-search list" },
  serviceSavedSearch: { name: "saved search", command: "saved-search list" },
  webhook: { name: "webhook", command: "webhook list" },
  serviceWebhook: { name: "webhook", command: "webhook list" },
  alert: { name: "alert", command: "alert list" },
  serviceAlert: { name: "alert", command: "alert list" },
  chart: { name: "chart", command: "dashboard list" },
  serviceChart: { name: "chart", command: "dashboard list" }
}

/** What may have happened to a change that was interrupted before it was answered, and how to find out. */
export const mayHaveHappened = ({ method, path }: ChangeRequest): string => {
  const noun = nounOf(method, path)
  const known = noun === undefined ? undefined : nouns[noun]
  if (known === undefined) {
    return `Interrupted: the service may have carried out ${escapeTerminalLine(`${method} ${path}`)}.`
  }
  const { command, name } = known
  return `Interrupted: the ${name} may have been ${done[method] ?? "changed"}: see 'headgate ${command}'.`
}
