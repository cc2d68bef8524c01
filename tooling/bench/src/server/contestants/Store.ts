import { hash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto"
import { isIP } from "node:net"
import { organizations, type Pipe, pipesOf, replacedDashboards, third } from "../environment.ts"

/** The store of the contestants that are not headgate: maps in memory and the rules of the contract in plain code. */

export interface KeyRequest {
  readonly name: string
  readonly roles?: ReadonlyArray<string>
  readonly expireAt?: string | null
  readonly ipAccessList?: ReadonlyArray<{ readonly source: string; readonly description?: string | null }>
}

export interface DashboardRequest {
  readonly name: string
  readonly tags?: ReadonlyArray<string> | null
  readonly tiles?: ReadonlyArray<object> | null
}

export interface Caller {
  readonly organizationId: string
  readonly roles: ReadonlyArray<string>
}

interface StoredKey extends Caller {
  readonly key: object
  readonly secretHash: Buffer
  readonly expireAt: number
  /** The minute of the last use. */
  usedAt: number
}

const sha256 = (value: string): Buffer => hash("sha256", value, "buffer")
const sha256Text = (value: string): string => hash("sha256", value, "base64")

const keys = new Map<string, StoredKey>()
const keysOf = new Map<string, number>()
const tokens = new Map<string, Caller>()
const dashboards = new Map<string, { readonly organizationId: string; readonly dashboard: object }>()
for (const dashboard of replacedDashboards) dashboards.set(dashboard.id, { organizationId: third.id, dashboard })

for (const organization of organizations) {
  keys.set(sha256Text(organization.keyId), {
    organizationId: organization.id,
    roles: ["admin"],
    key: {},
    secretHash: sha256(organization.keySecret),
    expireAt: Infinity,
    usedAt: 0
  })
  keysOf.set(organization.id, 1)
  tokens.set(sha256Text(organization.token), { organizationId: organization.id, roles: ["admin"] })
}

const noSecret = Buffer.alloc(32)

/** The caller of HTTP Basic credentials: SHA-256 of both, the hash of the secret compared in constant time. */
export const basicCaller = (authorization: string | undefined): Caller | undefined => {
  if (authorization === undefined || !authorization.startsWith("Basic ")) return undefined
  const text = Buffer.from(authorization.slice(6), "base64").toString()
  const colon = text.indexOf(":")
  const stored = keys.get(sha256Text(text.slice(0, colon)))
  const matches = timingSafeEqual(stored?.secretHash ?? noSecret, sha256(text.slice(colon + 1)))
  const now = Date.now()
  if (!matches || stored === undefined || stored.expireAt <= now) return undefined
  const minute = now - (now % 60_000)
  if (stored.usedAt < minute) stored.usedAt = minute
  return stored
}

/** The caller of a bearer token. */
export const bearerCaller = (authorization: string | undefined): Caller | undefined =>
  authorization?.startsWith("Bearer ") ? tokens.get(sha256Text(authorization.slice(7))) : undefined

interface StoredPipe {
  pipe: Pipe
  /** The state that it goes to, and when. */
  next?: { readonly state: string; readonly due: number } | undefined
}

const services = new Map(
  Array.from(pipesOf, ([{ serviceId }, pipes]) => [
    serviceId,
    new Map(pipes.map((pipe): [string, StoredPipe] => [pipe.id, { pipe }]))
  ])
)

/** The pipe in its state of now. */
const current = (stored: StoredPipe): Pipe => {
  if (stored.next !== undefined && stored.next.due <= Date.now()) {
    stored.pipe = { ...stored.pipe, state: stored.next.state }
    stored.next = undefined
  }
  return stored.pipe
}

export const findPipe = (serviceId: string, pipeId: string): Pipe | undefined => {
  const stored = services.get(serviceId)?.get(pipeId)
  return stored && current(stored)
}

export const listPipes = (serviceId: string) => {
  const pipes = services.get(serviceId)
  return pipes && Array.from(pipes.values(), current)
}

// In milliseconds.
const stepLength = 1

const move = (stored: StoredPipe, state: string, next: string): Pipe => {
  const now = Date.now()
  stored.pipe = { ...stored.pipe, state, updatedAt: new Date(now).toISOString() }
  stored.next = { state: next, due: now + stepLength }
  return stored.pipe
}

const startable: ReadonlySet<string> = new Set(["Stopped", "Paused", "Failed", "InternalError"])
const stopped: ReadonlySet<string> = new Set(["Stopped", "Paused", "Completed", "Failed", "Stopping", "Pausing"])
const passing: ReadonlySet<string> = new Set(["Provisioning", "Setup", "Stopping", "Pausing"])

export interface StateRequest {
  readonly command: "start" | "stop" | "resync"
}

/** Starts, stops or copies again a pipe whose source is a database; the status of the refusal if that may not be. */
export const setState = (serviceId: string, pipeId: string, { command }: StateRequest): Pipe | number => {
  const stored = services.get(serviceId)?.get(pipeId)
  if (stored === undefined) return 404
  const pipe = current(stored)
  const { state } = pipe
  if (command === "stop") return stopped.has(state) ? pipe : move(stored, "Pausing", "Paused")
  if (command === "start")
    return startable.has(state) ? move(stored, "Setup", "Running") : passing.has(state) ? 409 : 400
  if (state === "Resync") return pipe
  return passing.has(state) ? 409 : move(stored, "Resync", "Running")
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const randomText = (length: number): string => {
  let text = ""
  while (text.length < length) {
    for (const byte of randomBytes(Math.ceil(length * 1.25)))
      if (byte < 248 && text.length < length) text += alphabet[byte % 62]
  }
  return text
}

const isSource = (source: string): boolean => {
  const [address = "", prefix, ...more] = source.split("/")
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
}

/** The rules for a key that a JSON Schema cannot state: it expires in the future, its sources are addresses or CIDR blocks. */
export const isPossibleKey = ({ expireAt, ipAccessList = [] }: KeyRequest): boolean =>
  (typeof expireAt !== "string" || Date.parse(expireAt) > Date.now()) &&
  ipAccessList.every(({ source }) => isSource(source))

const systemRoles: Readonly<Record<string, object>> = {
  admin: { roleId: "701e0000-0000-4000-8000-000000000001", roleName: "admin", roleType: "system" },
  developer: { roleId: "701e0000-0000-4000-8000-000000000002", roleName: "developer", roleType: "system" },
  query_endpoints: { roleId: "701e0000-0000-4000-8000-000000000003", roleName: "query_endpoints", roleType: "system" }
}

const maxKeys = 100

/** Creates a key; `undefined` if the organization has 100. */
export const createKey = (organizationId: string, { expireAt, ipAccessList, name, roles }: KeyRequest) => {
  const count = keysOf.get(organizationId) ?? 0
  if (count >= maxKeys) return undefined
  const keyId = randomText(20)
  const keySecret = `hgs_${randomText(40)}`
  const key = {
    id: randomUUID(),
    name,
    state: "enabled",
    ...(roles === undefined ? {} : { roles, assignedRoles: roles.map((role) => systemRoles[role]) }),
    keySuffix: keyId.slice(-4),
    createdAt: new Date().toISOString(),
    ...(expireAt === undefined || expireAt === null ? {} : { expireAt }),
    ...(ipAccessList === undefined ? {} : { ipAccessList })
  }
  keys.set(sha256Text(keyId), {
    organizationId,
    roles: roles ?? [],
    key,
    secretHash: sha256(keySecret),
    expireAt: typeof expireAt === "string" ? Date.parse(expireAt) : Infinity,
    usedAt: 0
  })
  keysOf.set(organizationId, count + 1)
  return { key, keyId, keySecret }
}

const storeDashboard = (organizationId: string, id: string, request: DashboardRequest) => {
  const dashboard = {
    ...request,
    id,
    tiles: (request.tiles ?? []).map((tile) => Object.assign({}, tile, { id: randomUUID() })),
    tags: Array.from(new Set(request.tags))
  }
  dashboards.set(id, { organizationId, dashboard })
  return dashboard
}

/** Creates a dashboard. */
export const createDashboard = ({ organizationId }: Caller, request: DashboardRequest) =>
  storeDashboard(organizationId, randomUUID(), request)

/** Replaces a dashboard; `undefined` if the organization has none with the id. */
export const replaceDashboard = ({ organizationId }: Caller, id: string, request: DashboardRequest) =>
  dashboards.get(id)?.organizationId === organizationId ? storeDashboard(organizationId, id, request) : undefined
