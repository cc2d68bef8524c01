import { type ContractOperation, contractOperations, naming, pathFor } from "@headgate/harness/contractOperations"
import type { Caller, PathOrganization } from "./dimensions.ts"
import type { Credential, ExpendablePipe, MatrixKey } from "./keys.ts"
import { type Expected, expectedStatus } from "./oracle.ts"

/** One request of the matrix and the status that it must get. */
export interface Cell {
  readonly id: string
  readonly title: string
  readonly operation: ContractOperation
  readonly caller: Caller
  readonly credential: Credential
  readonly path: string
  readonly body: object | undefined
  /** The name of what this cell creates. */
  readonly creates: string
  readonly expected: Expected
  /** The organization that an allowed cell changes. */
  readonly owner: MatrixKey
  /** The pipe that exists for this cell to delete. */
  readonly pipe: ExpendablePipe | undefined
  /** Cells of one group must be rejected with the same message. */
  readonly messageGroup: string | undefined
}

export interface CellOptions {
  /** Before the id of each cell: cells of different stages must not share names. */
  readonly stage: string
  readonly key: MatrixKey
  /** Whose organization "another" is. */
  readonly other: MatrixKey
  readonly credential: Credential
}

/** The dimensions that a stage tries. */
export interface Breadth {
  readonly callers: ReadonlyArray<Caller>
  /** The names of the operations; absent: all. */
  readonly names?: ReadonlyArray<string>
  readonly organizations: ReadonlyArray<PathOrganization>
}

/** The operations, and the changes by which a key would lock itself out. */
export const matrixOperations = (): ReadonlyArray<ContractOperation> =>
  contractOperations().flatMap((operation) =>
    operation.name === "key.update"
      ? [
          operation,
          { ...operation, name: "key.update, disables itself", payload: (name) => ({ name, state: "disabled" }) },
          { ...operation, name: "key.update, drops its roles", payload: (name) => ({ name, roles: [] }) }
        ]
      : [operation]
  )

const systemRole = "701e0000-0000-4000-8000-000000000001"
const unknownResource = "00000000-0000-4000-8000-00000000f00d"

const resourceOf = ({ name }: ContractOperation, owner: MatrixKey, pipe: ExpendablePipe | undefined): string => {
  const [noun] = name.split(".")
  if (noun === "pipe") return pipe?.id ?? owner.keptPipe
  if (noun === "key") return owner.resourceId
  if (name === "webhook.get" || name === "serviceWebhook.get") return owner.keptWebhook
  return noun === "role" ? systemRole : unknownResource
}

const unknownOrganization = "00000000-0000-4000-8000-00000000dead"

const organizationId = (owner: MatrixKey, organization: PathOrganization | undefined): string =>
  organization === "no UUID" ? "mine" : organization === "one that does not exist" ? unknownOrganization : owner.id

/** Creates cells with an id, and a pipe to delete, of their own. */
export class CellMaker {
  readonly expendable: Array<ExpendablePipe> = []
  private count = 0
  private readonly operations: ReadonlyArray<ContractOperation>

  constructor(operations: ReadonlyArray<ContractOperation>) {
    this.operations = operations
  }

  /** One credential x callers x operations x organizations in the path. */
  cells(options: CellOptions, { callers, names, organizations }: Breadth): ReadonlyArray<Cell> {
    return callers.flatMap((caller) =>
      this.operations.flatMap((operation) => {
        if (names !== undefined && !names.includes(operation.name)) return []
        const inPath = operation.path.includes(":organizationId") ? organizations : [undefined]
        return inPath.map((organization) => this.cell(options, caller, operation, organization))
      })
    )
  }

  private cell(
    { credential, key, other, stage }: CellOptions,
    caller: Caller,
    operation: ContractOperation,
    organization: PathOrganization | undefined
  ): Cell {
    const id = `${stage} ${++this.count}`
    const owner = organization === "another" ? other : key
    const creates = `${owner.resourceId} ${id}`
    const pipe = operation.name === "pipe.delete" ? this.pipeOf(owner) : undefined
    const { credentials } = credential
    const expected = expectedStatus({ operation: operation.name, credentials, place: caller.place, organization })
    // A guesser must not learn whether a key is unknown, wrong, disabled or expired, nor which organizations exist.
    const messageGroup =
      expected === 401 && credentials.kind !== "unusable"
        ? `401 ${operation.api} ${credentials.kind}`
        : expected === 403 && (organization === "another" || organization === "one that does not exist")
          ? `403 ${key.resourceId} ${caller.name} ${operation.name}`
          : undefined
    return {
      id,
      title: [
        `roles [${key.roles.join(", ")}], ${key.state}, expires ${key.expiry.name}, access list ${key.list.name}`,
        `credentials: ${credential.name}`,
        caller.name,
        operation.name,
        ...(organization === undefined ? [] : [`organization: ${organization}`])
      ].join("; "),
      operation,
      caller,
      credential,
      path: pathFor(
        operation,
        { id: organizationId(owner, organization), serviceId: owner.serviceId },
        resourceOf(operation, owner, pipe)
      ),
      body: operation.payload === undefined ? undefined : naming(operation.payload(creates), owner.keptWebhook),
      creates,
      expected,
      owner,
      pipe,
      messageGroup
    }
  }

  private pipeOf(owner: MatrixKey): ExpendablePipe {
    const pipe = { id: `00000000-0000-4000-9000-${this.count.toString(16).padStart(12, "0")}`, owner }
    this.expendable.push(pipe)
    return pipe
  }
}
