import type { ApiKey, ApiKeyCreate } from "@headgate/client"

const day = 86_400_000

/** The roles that a key may have, and what each grants. */
export const roles = [
  { role: "developer", grants: "reads everything but the rows of pipes, and changes nothing" },
  { role: "admin", grants: "may do everything, also to other keys" },
  { role: "query_endpoints", grants: "calls saved queries, which this server does not have" }
] as const
type Role = (typeof roles)[number]["role"]

/** Whether a key can be used, by a word of `State`. */
export const stateOf = ({ expireAt, state }: ApiKey, now: number): "Enabled" | "Disabled" | "Expired" => {
  if (typeof expireAt === "string" && Date.parse(expireAt) <= now) return "Expired"
  return state === "disabled" ? "Disabled" : "Enabled"
}

/** Since when a key was not used, in milliseconds: since it was made if it never was; `undefined` if neither is known. */
export const unusedFor = ({ createdAt, usedAt }: ApiKey, now: number): number | undefined => {
  const last = usedAt ?? createdAt
  return typeof last === "string" ? Math.max(now - Date.parse(last), 0) : undefined
}

/** How long a key is not used until the page points at it. */
export const longUnused = 30 * day

/** All roles of a key by name, custom ones included. */
export const roleNames = ({ assignedRoles, roles }: ApiKey): ReadonlyArray<string> => {
  const assigned = (assignedRoles ?? []).flatMap(({ roleName }) => (typeof roleName === "string" ? [roleName] : []))
  return assigned.length > 0 ? assigned : (roles ?? [])
}

/** The fields of a form for a key. */
export interface KeyForm {
  readonly name: string
  readonly role: Role
  /** In days from now; empty for never. */
  readonly days: string
  /** Addresses and blocks, one a line; empty for any. */
  readonly addresses: string
}

export const emptyForm: KeyForm = { name: "", role: "developer", days: "90", addresses: "" }

/** What is wrong with the fields of a form, by field. */
export const issuesOf = ({ days, name }: KeyForm): Partial<Record<keyof KeyForm, string>> => ({
  ...(name.trim() === "" ? { name: "A name of 1 to 255 characters" } : {}),
  ...(/^\s*$|^\s*[1-9]\d{0,4}\s*$/.test(days)
    ? {}
    : { days: "A whole number of days, or nothing for a key that never expires" })
})

/** The request for a key, but for its address and its credentials. */
export type KeyRequest = Omit<ApiKeyCreate, "organizationId" | "hashData">

/** The request of a filled form. */
export const requestOf = ({ addresses, days, name, role }: KeyForm, now: number): KeyRequest => {
  const sources = addresses.split(/[\s,]+/).filter((source) => source !== "")
  return {
    name: name.trim(),
    roles: [role],
    ...(days.trim() === "" ? {} : { expireAt: new Date(now + Number(days) * day).toISOString() }),
    ...(sources.length === 0 ? {} : { ipAccessList: sources.map((source) => ({ source })) })
  }
}

/** The request for a key with the rights of another. One that expires lives as long again, from now. */
export const successorOf = (key: ApiKey, now: number): KeyRequest => {
  const ids = (key.assignedRoles ?? []).flatMap(({ roleId }) => (typeof roleId === "string" ? [roleId] : []))
  const life =
    typeof key.expireAt === "string" && typeof key.createdAt === "string"
      ? Date.parse(key.expireAt) - Date.parse(key.createdAt)
      : undefined
  return {
    name: key.name,
    ...(ids.length > 0
      ? { assignedRoleIds: ids }
      : (key.roles ?? []).length > 0
        ? { roles: [...(key.roles ?? [])] }
        : {}),
    ...(typeof key.state === "string" ? { state: key.state } : {}),
    ...(life === undefined || life <= 0 ? {} : { expireAt: new Date(now + life).toISOString() }),
    ...(key.ipAccessList === null || key.ipAccessList === undefined
      ? {}
      : {
          ipAccessList: key.ipAccessList.map(({ description, source }) => ({
            source,
            ...(typeof description === "string" ? { description } : {})
          }))
        })
  }
}

/** When the old key of a rotation ends: after the overlap, or earlier if it expires earlier; then `undefined`, for no change. */
export const endOfOverlap = ({ expireAt }: ApiKey, now: number, hours: number): string | undefined => {
  const end = now + hours * 3_600_000
  return typeof expireAt === "string" && Date.parse(expireAt) <= end ? undefined : new Date(end).toISOString()
}
