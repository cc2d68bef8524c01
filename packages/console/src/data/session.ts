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

/** The session, in the memory of the page; in the tab's storage only for those who chose it. */
export const session = signal<Session | undefined>(readKept())

/** Whether the session outlives a reload of this tab. */
export const isKept = signal(session.value !== undefined)

export const signIn = (opened: Session, keep: boolean): void => {
  isKept.value = keep
  if (keep) sessionStorage.setItem(storageKey, JSON.stringify(opened))
  session.value = opened
}

/** Forgets the session. `request.ts` ends it at the server, too. */
export const forgetSession = (): void => {
  sessionStorage.removeItem(storageKey)
  session.value = undefined
}

const permissions = computed(() => new Set(session.value?.permissions))

/** Whether the session may do something: what it may not do is not offered. */
export const may = (permission: string): boolean => permissions.value.has(permission)
