import { basic, type Organization } from "../load/World.ts"
import { startHelper } from "./HelperProcess.ts"

/** How a well-behaved caller fared. Times in milliseconds. */
export interface Experience {
  readonly times: ReadonlyArray<number>
  /** What it got instead of an answer. */
  readonly failures: ReadonlyArray<string>
}

/** A well-behaved caller beside the abuse, in a process of its own: its times are the server's, not the abuser's. */
export interface Bystander {
  /** Stops it, after a number of requests that is worth counting. */
  readonly stop: () => Promise<Experience>
}

/** Resolves when its first request was answered, or was not. */
export const startBystander = async (url: string, organization: Organization): Promise<Bystander> => {
  const { adminKeyId, adminKeySecret, id, keptPipe, serviceId } = organization
  const path = `/v1/organizations/${id}/services/${serviceId}/dbpipes/${keptPipe}`
  const helper = startHelper("./wellBehaved.ts", [url, path, basic(adminKeyId, adminKeySecret)])
  await helper.next()
  return {
    stop: async () => {
      helper.tell("stop")
      return (await helper.next()) as Experience
    }
  }
}

export const median = (times: ReadonlyArray<number>): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN
