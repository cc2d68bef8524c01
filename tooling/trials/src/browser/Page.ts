/// <reference lib="dom" />
// Runs in the browser.

/** What a page needs to know. Every API is behind the page's own origin. */
export interface PageConfig {
  readonly name: string
  readonly organizationId: string
  readonly serviceId: string
  readonly pipeId: string
  readonly keyId: string
  readonly keySecret: string
  readonly token: string
}

/** Before the path of an API: no request is answered, or each is redirected to another origin. */
export const silentPath = "/silent"
export const redirectingPath = "/redirecting"
/** Answers once a request to {@link silentPath} has arrived. */
export const arrivedPath = "/arrived"

/** The steps that every page takes, in this order. */
export interface Steps {
  /** `<name> is <state>` */
  readonly pipe: () => Promise<string>
  /** Creates a key, and reads the pipe with it: `<name>, <secret as a string>, opens <name of the pipe>` */
  readonly key: () => Promise<string>
  /** Creates a dashboard named after the page and lists: the names, joined by commas. */
  readonly dashboards: () => Promise<string>
  /** Reads the pipe with a wrong secret: `<_tag> <status>` */
  readonly wrongKey: () => Promise<string>
  /** Reads a pipe whose id is no UUID: `<_tag> <path of the field> <attempts>` */
  readonly badId: () => Promise<string>
  /** Reads the pipe from the silent API and aborts as soon as the request has arrived: how it ended. */
  readonly aborted: () => Promise<string>
  /** Reads the pipe from the redirecting API: `<_tag> <attempts>` */
  readonly redirected: () => Promise<string>
}

export const stepNames: ReadonlyArray<keyof Steps> = [
  "pipe",
  "key",
  "dashboards",
  "wrongKey",
  "badId",
  "aborted",
  "redirected"
]

/** The configuration in the page. */
export const config = (): PageConfig => JSON.parse(document.querySelector("#config")?.textContent ?? "{}")

/** Resolves once a request to the silent API has arrived. */
export const arrived = async (): Promise<void> => {
  await fetch(arrivedPath)
}

const show = (id: string, text: string) => {
  const [term, description] = [document.createElement("dt"), document.createElement("dd")]
  term.textContent = id
  description.id = id
  description.textContent = text
  document.body.append(term, description)
}

/** Runs each step, shows its result, then shows that the page is done. */
export const run = async (steps: Steps): Promise<void> => {
  for (const name of stepNames) {
    show(
      name,
      await steps[name]().catch((error: unknown) => `failed: ${error instanceof Error ? error.stack : String(error)}`)
    )
  }
  show("end", "done")
}
