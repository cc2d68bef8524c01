import { type Operation, pathOf } from "../http/operations.ts"
import type { Credential } from "./credentials.ts"
import { type Caller, organizations, type PathOrganization } from "./dimensions.ts"
import { expected, type Expected } from "./oracle.ts"
import type { ExpendablePipe, MatrixKey } from "./world.ts"

/** One request of the matrix, and what must come of it. */
export interface Cell {
  readonly id: string
  readonly title: string
  readonly operation: Operation
  readonly caller: Caller
  readonly credential: Credential
  readonly path: string
  readonly body: string | undefined
  /** What is called so afterwards is the doing of this cell. */
  readonly creates: string
  readonly expected: Expected
  /** The organization whose state an allowed cell changes. */
  readonly owner: MatrixKey
  /** The pipe that is there for this cell to delete. */
  readonly pipe: ExpendablePipe | undefined
  /** Cells that must be refused in the same words. */
  readonly sameWords: string | undefined
}

const pathOrganizations = ({ path }: Operation): ReadonlyArray<PathOrganization | undefined> =>
  path.includes(":organizationId") ? organizations : [undefined]

const nowhere = "00000000-0000-4000-8000-00000000dead"

const bodies: Readonly<Record<string, (name: string) => object>> = {
  "key.create": (name) => ({ name, roles: ["query_endpoints"] }),
  "dashboard.create": (name) => ({ name, tiles: [{ x: 0, y: 0, w: 1, h: 1 }], tags: ["matrix"] })
}

const bodyOf = ({ method, name }: Operation, creates: string): string | undefined => {
  const make = bodies[name]
  if (make === undefined && method !== "GET" && method !== "DELETE") throw new Error(`no body is known for ${name}`)
  return make && JSON.stringify(make(creates))
}

const sameWords = (
  { caller, credential: { presented }, key, operation }: CellsOptions & { caller: Caller; operation: Operation },
  answer: Expected,
  organization: PathOrganization | undefined
): string | undefined => {
  // Unknown, wrong, disabled, expired: a guesser must not learn which.
  if (answer === 401 && presented.kind !== "nothing usable") return `401 ${operation.api} ${presented.kind}`
  if (answer !== 403 || (organization !== "another" && organization !== "one that does not exist")) return undefined
  return `403 ${key.id} ${caller.name} ${operation.name}`
}

interface CellsOptions {
  /** Before the id of each cell: cells of different products must not share names. */
  readonly product: string
  readonly key: MatrixKey
  /** Whose organization "another" is. */
  readonly other: MatrixKey
  readonly credential: Credential
}

/** Makes cells, and counts them, so that each has an id and a pipe of its own. */
export class CellMaker {
  readonly expendable: Array<ExpendablePipe> = []
  private count = 0
  private readonly operations: ReadonlyArray<Operation>

  constructor(operations: ReadonlyArray<Operation>) {
    this.operations = operations
  }

  /** One credential x every caller x every operation x every organization its path can name. */
  cells(options: CellsOptions, callers: ReadonlyArray<Caller>): ReadonlyArray<Cell> {
    return callers.flatMap((caller) =>
      this.operations.flatMap((operation) =>
        pathOrganizations(operation).map((organization) => this.cell(options, caller, operation, organization))
      )
    )
  }

  private cell(
    options: CellsOptions,
    caller: Caller,
    operation: Operation,
    organization: PathOrganization | undefined
  ): Cell {
    const { credential, key, other, product } = options
    const id = `${product} ${++this.count}`
    const owner = organization === "another" ? other : key
    const creates = `${owner.id} ${id}`
    const pipe = operation.name === "pipe.delete" ? this.pipeOf(owner) : undefined
    const answer = expected({
      operation: operation.name,
      presented: credential.presented,
      place: caller.place,
      organization
    })
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
      path: pathOf(operation, {
        organizationId:
          organization === "no UUID"
            ? "mine"
            : organization === "one that does not exist"
              ? nowhere
              : owner.organizationId,
        serviceId: owner.serviceId,
        dbPipeId: pipe?.id ?? owner.keptPipe
      }),
      body: bodyOf(operation, creates),
      creates,
      expected: answer,
      owner,
      pipe,
      sameWords: sameWords({ ...options, caller, operation }, answer, organization)
    }
  }

  private pipeOf(owner: MatrixKey): ExpendablePipe {
    const pipe = { id: `00000000-0000-4000-9000-${this.count.toString(16).padStart(12, "0")}`, owner }
    this.expendable.push(pipe)
    return pipe
  }
}
