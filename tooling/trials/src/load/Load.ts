import { makeJsonClient, type Answer, type Call } from "../http/JsonClient.ts"
import type { ServerProcess } from "../server/ServerProcess.ts"
import { Ledger, type Write } from "./Ledger.ts"
import type { Random } from "./Random.ts"
import { basic, bearer, freeKeys, type Organization } from "./World.ts"

/** A write about to be asked for, and how to read what was promised from a 200. */
interface Attempt {
  readonly call: Call
  readonly promised: (answer: Answer) => Write
}

/** Room that is left in an organization for this load. */
interface Room {
  keys: number
  readonly pipes: Array<string>
}

/** What a load needs to write to. */
export interface LoadOptions {
  readonly server: Pick<ServerProcess, "url">
  readonly organizations: ReadonlyArray<Organization>
  readonly random: Random
  /** How many requests are under way at once. */
  readonly writers: number
  /** Where several loads write to the same organizations: which part of their keys and pipes is this one's. */
  readonly share?: Share
}

/** The `part`th, from 0, of so many `parts`. */
export interface Share {
  readonly part: number
  readonly parts: number
}

const roomIn = ({ pipes }: Organization, { part, parts }: Share): Room => ({
  keys: Math.floor(freeKeys / parts),
  pipes: pipes.filter((_, index) => index % parts === part)
})

const createKey = (organization: Organization, name: string): Attempt => ({
  call: {
    method: "POST",
    path: `/v1/organizations/${organization.id}/keys`,
    authorization: basic(organization.adminKeyId, organization.adminKeySecret),
    body: { name, roles: ["developer"] }
  },
  promised: ({ json }) => ({
    kind: "key",
    organizationId: organization.id,
    keyId: json.result.keyId,
    keySecret: json.result.keySecret
  })
})

const createDashboard = (organization: Organization, name: string): Attempt => ({
  call: {
    method: "POST",
    path: "/api/v2/dashboards",
    authorization: bearer(organization.token),
    body: { name, tags: ["trial"], tiles: [] }
  },
  promised: ({ json }) => ({ kind: "dashboard", organizationId: organization.id, id: json.data.id, name })
})

const deletePipe = (organization: Organization, pipeId: string): Attempt => ({
  call: {
    method: "DELETE",
    path: `/v1/organizations/${organization.id}/services/${organization.serviceId}/dbpipes/${pipeId}`,
    authorization: basic(organization.adminKeyId, organization.adminKeySecret)
  },
  promised: () => ({ kind: "deletion", organizationId: organization.id, pipeId })
})

/** Concurrent writes to one server, from when it is made until it is stopped or the server is gone. */
export class Load {
  readonly ledger = new Ledger()
  /** Requests sent and not answered at this moment. */
  inFlight = 0
  private readonly room: ReadonlyMap<string, Room>
  private readonly ended: Promise<unknown>
  private stopping = false
  private doomed = false
  private written = 0
  private readonly options: LoadOptions

  constructor(options: LoadOptions) {
    this.options = options
    const share = options.share ?? { part: 0, parts: 1 }
    this.room = new Map(options.organizations.map((organization) => [organization.id, roomIn(organization, share)]))
    const client = makeJsonClient(options.server.url)
    const writer = async () => {
      while (!this.stopping) await this.write(client.call)
    }
    this.ended = Promise.all(Array.from({ length: options.writers }, writer)).finally(client.close)
  }

  /** Says that the server is killed now: from here on, no answer is no fault of its own. Answers what was in flight. */
  serverIsKilled(): number {
    this.doomed = true
    return this.inFlight
  }

  /** Starts no further request, waits for those under way and answers what was promised. */
  async stop(): Promise<Ledger> {
    this.stopping = true
    await this.ended
    return this.ledger
  }

  private next(): Attempt {
    const { organizations, random } = this.options
    const organization = random.pick(organizations)
    const room = this.room.get(organization.id)
    const wanted = random.next()
    const name = `${this.written++} ${random.uuid()}`
    if (room !== undefined && wanted < 0.4 && room.keys > 0) {
      room.keys--
      return createKey(organization, name)
    }
    const pipe = wanted > 0.9 ? room?.pipes.pop() : undefined
    if (pipe === undefined) return createDashboard(organization, name)
    this.ledger.doomedPipes.add(pipe)
    return deletePipe(organization, pipe)
  }

  private async write(send: (call: Call) => Promise<Answer>): Promise<void> {
    const { call, promised } = this.next()
    this.inFlight++
    try {
      const answer = await send(call)
      if (answer.status === 200) this.ledger.acknowledged.push(promised(answer))
      else this.ledger.refused.push(`${call.method} ${call.path}: ${answer.status} ${JSON.stringify(answer.json)}`)
    } catch (error) {
      if (this.doomed) this.ledger.unanswered++
      else this.ledger.refused.push(`${call.method} ${call.path}: ${String(error)}`)
      // Nobody is there any more: a writer that went on would only count the same fault again and again.
      this.stopping = true
    } finally {
      this.inFlight--
    }
  }
}
