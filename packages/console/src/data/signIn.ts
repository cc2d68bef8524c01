import { signal } from "@preact/signals"
import { asFailed, type CallFailed } from "./CallFailed.ts"
import { send } from "./request.ts"
import { forgetSession, isKept, type Session, session, signIn } from "./session.ts"
import { takeCode } from "./takeCode.ts"

interface Opened {
  readonly organizationId: string
  readonly token: string
  readonly expiresAt: string
  readonly permissions: ReadonlyArray<string>
}

const toSession = (value: unknown): Session => {
  const opened = value as Opened
  return { ...opened, expiresAt: Date.parse(opened.expiresAt) }
}

const base64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))

/** Opens a session with the code of a link, which is used up by it. */
const openWithCode = (code: string): Promise<Session> =>
  send({ method: "POST", path: "/v1/consoleSessions", body: { code }, authorization: false }).then(({ value }) =>
    toSession(value)
  )

/** Opens a session with a key, whose secret is not kept. */
export const openWithKey = (organizationId: string, keyId: string, keySecret: string): Promise<Session> =>
  send({
    method: "POST",
    path: `/v1/organizations/${encodeURIComponent(organizationId)}/consoleSessions`,
    authorization: `Basic ${base64(`${keyId}:${keySecret}`)}`
  }).then(({ value }) => toSession(value))

const endAtServer = (token: string): Promise<unknown> =>
  send({ method: "DELETE", path: "/v1/consoleSessions", authorization: `Bearer ${token}` }).catch(() => {})

/** Ends the session, here at once and at the server if it answers. */
export const signOut = async (): Promise<void> => {
  const token = session.value?.token
  forgetSession()
  if (token !== undefined) await endAtServer(token)
}

/** How far the link is that the page was opened with. */
export const link = signal<"none" | "opening" | CallFailed>("none")

const question = "This link signs you in with another key, in the place of the one that you use now. Do you want that?"

/**
 * Signs in with the code of the link, if there is one. It takes the place of a session that is there only if the person wants that: the
 * sender of a link would decide in which organization they work.
 */
export const openLink = async (): Promise<void> => {
  const code = takeCode()
  if (code === undefined) return
  const before = session.value?.token
  if (before !== undefined && !confirm(question)) return
  link.value = "opening"
  try {
    signIn(await openWithCode(code), isKept.value)
    link.value = "none"
    if (before !== undefined) await endAtServer(before)
  } catch (error) {
    link.value = asFailed(error)
  }
}
