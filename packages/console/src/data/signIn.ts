import { send } from "./request.ts"
import { forgetSession, type Session, session } from "./session.ts"

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
export const openWithCode = (code: string): Promise<Session> =>
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

/** Ends the session, here at once and at the server if it answers. */
export const signOut = async (): Promise<void> => {
  const token = session.value?.token
  forgetSession()
  if (token === undefined) return
  await send({ method: "DELETE", path: "/v1/consoleSessions", authorization: `Bearer ${token}` }).catch(() => {})
}
