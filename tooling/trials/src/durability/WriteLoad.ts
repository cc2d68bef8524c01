import { type Answer, type Call, callJson } from "@headgate/harness/JsonClient"
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
import { Ledger, type Write, type WrittenOrganization } from "./Ledger.ts"

/** Keys that an organization may have beside its admin key: the limit is 100 (contract: section 8). */
const freeKeys = 99
const pipesEach = 24
/** Pipes that a load creates in an organization: with those of the import they stay below its limit. */
const newPipesEach = 60

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

interface Attempt {
  readonly call: Call
  /** Reads from a 200 what it promises. */
  readonly promised: (answer: Answer) => Write
}

const createKey = (organization: WrittenOrganization, name: string): Attempt => ({
  call: {
    method: "POST",
    path: keysPath(organization),
    authorization: authorizationOf(organization).management,
    body: { name, roles: ["developer"] }
  },
  promised: ({ json: { result } }) => ({
    kind: "key",
    organizationId: organization.id,
    keyId: result.keyId,
    keySecret: result.keySecret
  })
})

const createDashboard = (organization: WrittenOrganization, name: string): Attempt => ({
  call: {
    method: "POST",
    path: dashboardsPath,
    authorization: authorizationOf(organization).observability,
    body: { name, tags: ["trial"], tiles: [] }
  },
  promised: ({ json }) => ({ kind: "dashboard", organizationId: organization.id, id: json.data.id, name })
})

const createPipe = (organization: WrittenOrganization, name: string): Attempt => ({
  call: {
    method: "POST",
    path: pipesPath(organization),
    authorization: authorizationOf(organization).management,
    body: { name, ...definition }
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
    const chance = random.next()
    const name = `${this.written++} ${random.uuid()}`
    if (left !== undefined && chance < 0.3 && left.keys > 0) {
      left.keys--
      return createKey(organization, name)
    }
    if (left !== undefined && chance > 0.6 && chance < 0.7 && left.newPipes > 0) {
      left.newPipes--
      return createPipe(organization, name)
    }
    // A pipe is changed once: what it must hold afterwards is certain.
    const pipe = chance > 0.7 ? left?.pipes.pop() : undefined
    if (pipe === undefined) return createDashboard(organization, name)
    if (chance < 0.8) return renamePipe(organization, pipe, name)
    if (chance < 0.9) return stopPipe(organization, pipe)
    this.ledger.requestedDeletions.add(pipe)
    return deletePipe(organization, pipe)
  }

  private async write(): Promise<void> {
    const { call, promised } = this.next()
    this.inFlight++
    try {
      const answer = await callJson(this.options.url, call)
      if (answer.status === 200) this.ledger.acknowledged.push(promised(answer))
      else this.ledger.failed.push(`${call.method} ${call.path}: ${answer.status} ${JSON.stringify(answer.json)}`)
    } catch (error) {
      if (this.isKilled) this.ledger.unanswered++
      else this.ledger.failed.push(`${call.method} ${call.path}: ${String(error)}`)
      // The server is gone: further requests would repeat the same fault.
      this.isStopping = true
    } finally {
      this.inFlight--
    }
  }
}
