import { computed, signal } from "@preact/signals"

/** What a person is signed in as. */
export interface Session {
  readonly organizationId: string
  /** The bearer token of both APIs. */
  readonly token: string
  /** When it ends, in milliseconds since 1970. */
  readonly expiresAt: number
  readonly permissions: ReadonlyArray<string>
}

const storageKey = "headgate-session"

const readKept = (): Session | undefined => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? "null")
    return typeof kept === "object" && kept !== null && "token" in kept ? (kept as Session) : undefined
  } catch {
    return undefined
  }
}

/** Keeps a session in the tab's storage, or removes it. A browser that has none forgets it at a reload. */
const store = (kept: Session | undefined): void => {
  try {
    if (kept === undefined) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, JSON.stringify(kept))
  } catch {
    // Nothing is kept.
  }
}

/** The session, in the memory of the page; in the tab's storage only for those who chose it. */
export const session = signal<Session | undefined>(readKept())

/** The session that the server ended while a page was open: the page stays until someone signs in again. */
export const ended = signal<Session | undefined>(undefined)

/** Whether the session outlives a reload of this tab. */
export const isKept = signal(session.value !== undefined)

/** Chooses whether the session outlives a reload of this tab. */
export const keepSession = (isWanted: boolean): void => {
  isKept.value = isWanted
  store(isWanted ? session.value : undefined)
}

export const signIn = (opened: Session, keep: boolean): void => {
  session.value = opened
  ended.value = undefined
  keepSession(keep)
}

/** Forgets the session, and what it showed. */
export const forgetSession = (): void => {
  session.value = undefined
  ended.value = undefined
  store(undefined)
}

/** Notes that the server has ended the session. */
export const endSession = (): void => {
  const last = session.value
  forgetSession()
  ended.value = last
}

const permissions = computed(() => new Set((session.value ?? ended.value)?.permissions))

/** Whether the session may do something: what it may not do is not offered. */
export const may = (permission: string): boolean => permissions.value.has(permission)
