import { makeJsonClient } from "../http/JsonClient.ts"
import { basic, type Organization } from "../load/World.ts"

/** Clients that read a pipe over and over, each on a connection that it keeps. */
export class Readers {
  answered = 0
  readonly broken: Array<string> = []
  private stopping = false
  private readonly ended: Promise<unknown>

  constructor(url: string, organizations: ReadonlyArray<Organization>, count: number) {
    const client = makeJsonClient(url)
    const read = async ({ adminKeyId, adminKeySecret, id, keptPipe, serviceId }: Organization) => {
      const path = `/v1/organizations/${id}/services/${serviceId}/dbpipes/${keptPipe}`
      try {
        const { json, status } = await client.call({ path, authorization: basic(adminKeyId, adminKeySecret) })
        if (status === 200 && json?.result?.id === keptPipe) this.answered++
        else this.broken.push(`GET ${path}: ${status} ${JSON.stringify(json)}`)
      } catch (error) {
        this.broken.push(`GET ${path}: ${String(error)}`)
      }
    }
    const reader = async (index: number) => {
      for (let turn = index; !this.stopping; turn++) {
        const organization = organizations[turn % organizations.length]
        if (organization !== undefined) await read(organization)
      }
    }
    this.ended = Promise.all(Array.from({ length: count }, (_, index) => reader(index))).finally(client.close)
  }

  async stop(): Promise<void> {
    this.stopping = true
    await this.ended
  }
}
