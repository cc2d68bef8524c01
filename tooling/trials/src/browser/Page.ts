/// <reference lib="dom" />
// Runs in the browser.

/** What a page of the trial is told: whom to act as. Every API is behind the page's own origin. */
export interface PageConfig {
  readonly name: string
  readonly organizationId: string
  readonly serviceId: string
  readonly pipeId: string
  readonly keyId: string
  readonly keySecret: string
  readonly token: string
}

/** Where the front door, beside the APIs, answers no request to a pipe, and where it redirects each to elsewhere. */
export const silentPath = "/silent"
export const redirectingPath = "/redirecting"
/** Answers once a request has reached the silent API. */
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
  /** Reads the pipe where nothing answers, and aborts as soon as it arrived: how it ended. */
  readonly aborted: () => Promise<string>
  /** Reads the pipe where requests are redirected: `<_tag> <attempts>` */
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

/** What the page was told. */
export const config = (): PageConfig => JSON.parse(document.querySelector("#config")?.textContent ?? "{}")

/** Resolves once a request has reached the silent API. */
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

/** Takes each step, shows what came of it, and says when it is done. */
export const run = async (steps: Steps): Promise<void> => {
  for (const name of stepNames) {
    show(
      name,
      await steps[name]().catch((error: unknown) => `failed: ${error instanceof Error ? error.stack : String(error)}`)
    )
  }
  show("end", "done")
}
