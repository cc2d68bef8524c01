import { type Call, callJson } from "@headgate/harness/JsonClient"
import type { Random } from "@headgate/harness/Random"
import {
  authorizationOf,
  dashboardsPath,
  keysPath,
  makeOrganization,
  organizationDocument,
  pipePath,
  pipesPath,
  plainPipe
} from "@headgate/harness/Snapshot"
import { setTimeout as sleep } from "node:timers/promises"
import { type Attempt, Ledger, type WrittenOrganization } from "./Ledger.ts"

/**
 * Keys that an organization may have beside its admin key: the limit is 100 (contract: docs/wire-contract.md#access).
 */
const freeKeys = 99
const pipesEach = 24
/** Pipes that a load creates in an organization: with those of the import they stay below its limit. */
const newPipesEach = 60

/** What a load writes first: one of each kind, however short it is. */
const firstChances = [0.1, 0.65, 0.75, 0.85, 0.95, 0.4]

/** A pipe that moves files for as long as it runs: it can be stopped. */
const definition = {
  source: {
    objectStorage: { type: "s3", format: "JSONEachRow", url: "https://files.test/*.json", isContinuous: true }
  },
  destination: {
    database: "default",
    table: "events",
    managedTable: true,
    tableDefinition: { engine: { type: "MergeTree" } },
    columns: [{ name: "message", type: "String" }]
  }
}

export const makeOrganizations = (random: Random, count: number): ReadonlyArray<WrittenOrganization> =>
  Array.from({ length: count }, () => ({
    ...makeOrganization(random),
    keptPipe: random.uuid(),
    pipes: Array.from({ length: pipesEach }, () => random.uuid())
  }))

/** The organizations as a document for `headgate-server --import`. */
export const snapshotOf = (organizations: ReadonlyArray<WrittenOrganization>): string =>
  JSON.stringify({
    organizations: organizations.map((organization) => {
      const { keptPipe, pipes, serviceId } = organization
      return organizationDocument(organization, {
        pipes: [keptPipe, ...pipes].map((id) => ({ ...plainPipe(id, serviceId), ...definition }))
      })
    })
  })

/** A call that reads the pipe that is never changed. */
export const readKeptPipe = (organization: WrittenOrganization): Call => ({
  path: pipePath(organization, organization.keptPipe),
  authorization: authorizationOf(organization).management
})

const createKey = (organization: WrittenOrganization, name: string, idempotencyKey?: string): Attempt => ({
  call: {
    method: "POST",
    path: keysPath(organization),
    authorization: authorizationOf(organization).management,
    body: { name, roles: ["developer"] },
    idempotencyKey
  },
  promised: ({ json: { result } }) => ({
    kind: "key",
    organizationId: organization.id,
    keyId: result.keyId,
    keySecret: result.keySecret
  })
})

const createDashboard = (organization: WrittenOrganization, name: string, idempotencyKey?: string): Attempt => ({
  call: {
    method: "POST",
    path: dashboardsPath,
    authorization: authorizationOf(organization).observability,
    body: { name, tags: ["trial"], tiles: [] },
    idempotencyKey
  },
  promised: ({ json }) => ({ kind: "dashboard", organizationId: organization.id, id: json.data.id, name })
})

const createPipe = (organization: WrittenOrganization, name: string, idempotencyKey?: string): Attempt => ({
  call: {
    method: "POST",
    path: pipesPath(organization),
    authorization: authorizationOf(organization).management,
    body: { name, ...definition },
    idempotencyKey
  },
  promised: ({ json }) => ({ kind: "pipe", organizationId: organization.id, id: json.result.id, name })
})

const renamePipe = (organization: WrittenOrganization, id: string, name: string): Attempt => ({
  call: {
    method: "PATCH",
    path: pipePath(organization, id),
    authorization: authorizationOf(organization).management,
    body: { name }
  },
  promised: () => ({ kind: "rename", organizationId: organization.id, id, name })
})

const stopPipe = (organization: WrittenOrganization, id: string): Attempt => ({
  call: {
    method: "PATCH",
    path: `${pipePath(organization, id)}/state`,
    authorization: authorizationOf(organization).management,
    body: { command: "stop" }
  },
  promised: () => ({ kind: "stop", organizationId: organization.id, id })
})

const deletePipe = (organization: WrittenOrganization, id: string): Attempt => ({
  call: {
    method: "DELETE",
    path: pipePath(organization, id),
    authorization: authorizationOf(organization).management
  },
  promised: () => ({ kind: "deletion", organizationId: organization.id, id })
})

export interface WriteLoadOptions {
  readonly url: string
  readonly organizations: ReadonlyArray<WrittenOrganization>
  readonly random: Random
  /** How many requests are in flight at once. */
  readonly writers: number
  /** Several loads on the same organizations divide their keys and pipes: the `part`th, from 0, of `parts`. */
  readonly part?: number
  readonly parts?: number
}

/** Concurrent writes to one server, from construction until it is stopped or a request gets no answer. */
export class WriteLoad {
  readonly ledger = new Ledger()
  inFlight = 0
  private isStopping = false
  private isKilled = false
  private written = 0
  private readonly left: ReadonlyMap<string, { keys: number; newPipes: number; readonly pipes: Array<string> }>
  private readonly ended: Promise<unknown>
  private readonly options: WriteLoadOptions

  constructor(options: WriteLoadOptions) {
    this.options = options
    const { organizations, part = 0, parts = 1, writers } = options
    this.left = new Map(
      organizations.map(({ id, pipes }) => [
        id,
        {
          keys: Math.floor(freeKeys / parts),
          newPipes: Math.floor(newPipesEach / parts),
          pipes: pipes.filter((_, index) => index % parts === part)
        }
      ])
    )
    const write = async () => {
      while (!this.isStopping) await this.write()
    }
    this.ended = Promise.all(Array.from({ length: writers }, write))
  }

  /** Says that the server is killed now: a missing answer is no fault from here on. Returns the requests in flight. */
  serverIsKilled(): number {
    this.isKilled = true
    return this.inFlight
  }

  /** Starts no further request and waits for those in flight. */
  async stop(): Promise<Ledger> {
    this.isStopping = true
    await this.ended
    return this.ledger
  }

  private next(): Attempt {
    const { organizations, random } = this.options
    const organization = random.pick(organizations)
    const left = this.left.get(organization.id)
    const chance = firstChances[this.written] ?? random.next()
    const name = `${this.written++} ${random.uuid()}`
    // Every other creation has a key. Without one, a request that was not answered is not sent again.
    const idempotencyKey = this.written % 2 === 0 ? name.replace(" ", "-") : undefined
    const creation = (attempt: Attempt) => {
      if (idempotencyKey !== undefined) this.ledger.onceOnly.add(name)
      return attempt
    }
    if (left !== undefined && chance < 0.3 && left.keys > 0) {
      left.keys--
      return creation(createKey(organization, name, idempotencyKey))
    }
    if (left !== undefined && chance > 0.6 && chance < 0.7 && left.newPipes > 0) {
      left.newPipes--
      return creation(createPipe(organization, name, idempotencyKey))
    }
    // A pipe is changed once: what it must hold afterwards is certain.
    const pipe = chance > 0.7 ? left?.pipes.pop() : undefined
    if (pipe === undefined) return creation(createDashboard(organization, name, idempotencyKey))
    if (chance < 0.8) return renamePipe(organization, pipe, name)
    if (chance < 0.9) return stopPipe(organization, pipe)
    this.ledger.requestedDeletions.add(pipe)
    return deletePipe(organization, pipe)
  }

  private async write(): Promise<void> {
    const attempt = this.next()
    const { call, promised } = attempt
    this.inFlight++
    try {
      const answer = await callJson(this.options.url, call)
      if (answer.status === 200) this.ledger.acknowledged.push(promised(answer))
      else this.ledger.failed.push(`${call.method} ${call.path}: ${answer.status} ${JSON.stringify(answer.json)}`)
    } catch (error) {
      if (this.isKilled) {
        this.ledger.unanswered++
        if (call.idempotencyKey !== undefined) this.ledger.repeatable.push(attempt)
      } else this.ledger.failed.push(`${call.method} ${call.path}: ${String(error)}`)
      // The server is gone: further requests would repeat the same fault.
      this.isStopping = true
    } finally {
      this.inFlight--
    }
  }
}

/** How often a creation is sent again while the database still holds the lock of the killed server. */
const mostRepeats = 10

/** Sends creations with an `Idempotency-Key` that a killed server did not answer again, as a client would. */
export const repeatCreations = async (url: string, creations: Iterable<Attempt>): Promise<Ledger> => {
  const ledger = new Ledger()
  for (const { call, promised } of creations) {
    let answer = await callJson(url, call)
    for (let repeat = 1; answer.status === 409 && repeat < mostRepeats; repeat++) {
      await sleep(1_000)
      answer = await callJson(url, call)
    }
    if (answer.status === 200) {
      ledger.acknowledged.push(promised(answer))
      ledger.repeated++
    } else
      ledger.failed.push(`${call.method} ${call.path}, sent again: ${answer.status} ${JSON.stringify(answer.json)}`)
  }
  return ledger
}
