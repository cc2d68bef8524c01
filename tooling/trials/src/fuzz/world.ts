import { Pipe } from "@headgate/core"
import { basic, bearer, credentialHash } from "../load/World.ts"
import type { Random } from "../load/Random.ts"
import { type Json, sampleEncoded } from "./samples.ts"

/** An organization that one batch of requests is thrown at, and nothing else. */
export interface Target {
  readonly id: string
  readonly serviceId: string
  readonly basic: string
  readonly bearer: string
  readonly pipes: ReadonlyArray<Json>
  /** As it stands in the snapshot. */
  readonly document: object
}

const plainPipes = 30
const arbitraryPipes = 10

/** As many organizations as there are batches; some of their pipes are anything that the schema of a pipe allows. */
export const makeTargets = (random: Random, count: number): ReadonlyArray<Target> => {
  const arbitrary = sampleEncoded(Pipe, { count: count * arbitraryPipes, seed: random.between(1, 1e9) })
  return Array.from({ length: count }, (_, index) => {
    const id = random.uuid()
    const serviceId = random.uuid()
    const keyId = `fuzz-${random.uuid()}`
    const keySecret = random.uuid()
    const token = `fuzz-${random.uuid()}`
    const pipes = [
      ...Array.from({ length: plainPipes }, () => ({ name: "plain", state: "Running" })),
      ...arbitrary.slice(index * arbitraryPipes, (index + 1) * arbitraryPipes)
    ].map((pipe) => ({ ...pipe, id: random.uuid(), serviceId }))
    return {
      id,
      serviceId,
      basic: basic(keyId, keySecret),
      bearer: bearer(token),
      pipes,
      document: {
        id,
        name: `batch ${index}`,
        services: [{ id: serviceId, name: "service", pipes }],
        keys: [
          {
            name: "admin",
            roles: ["admin"],
            hashData: {
              keyIdHash: credentialHash(keyId),
              keyIdSuffix: keyId.slice(-4),
              keySecretHash: credentialHash(keySecret)
            }
          }
        ],
        tokens: [{ name: "token", tokenHash: credentialHash(token) }]
      }
    }
  })
}

/** The targets as a document for `headgate-server --import`. */
export const snapshotOf = (targets: ReadonlyArray<Target>): string =>
  JSON.stringify({ organizations: targets.map(({ document }) => document) })
