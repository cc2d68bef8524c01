import { type ContractOperation, pathFor } from "@headgate/harness/contractOperations"
import { type Caller, organizations, type PathOrganization } from "./dimensions.ts"
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

  /** One credential x every caller x every operation x every organization in the path. */
  cells(options: CellOptions, callers: ReadonlyArray<Caller>): ReadonlyArray<Cell> {
    return callers.flatMap((caller) =>
      this.operations.flatMap((operation) => {
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
    const pipe = operation.method === "DELETE" ? this.pipeOf(owner) : undefined
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
        pipe?.id ?? owner.keptPipe
      ),
      body: operation.payload?.(creates),
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
