// Type tests: `tsc -b` checks them. The methods are never called.
import * as Core from "@headgate/core"
import { keyOperations, neutral } from "@headgate/http-contract"
import { describe, expectTypeOf, it } from "vitest"
import type { ApiKey, ApiKeyAddress, CallOptions, CallPromise, KeysClient, List } from "../src/index.ts"
import { promisesOf } from "../src/promisesOf.ts"
import type { Run } from "../src/Runner.ts"

const { create, get, list } = keyOperations(neutral)
const run: Run<Core.ApiKeys> = () => Promise.reject(new Error("not called"))

/** The interface of keys with other methods. */
type With<Methods> = Omit<KeysClient, keyof Methods> & Methods

describe("the rows of a table", () => {
  it("give the methods of the client that have their names", () => {
    const keys = promisesOf<KeysClient>()(run, Core.ApiKeys, { get, list })
    expectTypeOf(keys).toEqualTypeOf<Pick<KeysClient, "get" | "list">>()
  })

  it("are those of the client", () => {
    type Read<Request, Result> = (request: Request, options?: CallOptions) => Result
    const same = promisesOf<With<{ get: Read<ApiKeyAddress, CallPromise<ApiKey>> }>>()
    expectTypeOf(same(run, Core.ApiKeys, { get }).get).toBeFunction()
    const request = promisesOf<With<{ get: Read<{ organizationId: string }, CallPromise<ApiKey>> }>>()
    // @ts-expect-error the row get is not the method get of the client: it takes the key as well
    request(run, Core.ApiKeys, { get })
    const result = promisesOf<With<{ get: Read<ApiKeyAddress, CallPromise<{ secret: string }>> }>>()
    // @ts-expect-error the row get is not the method get of the client: its key has no secret
    result(run, Core.ApiKeys, { get })
    const kind = promisesOf<With<{ get: Read<ApiKeyAddress, List<ApiKey>> }>>()
    // @ts-expect-error the row get is not the method get of the client: it returns no list
    kind(run, Core.ApiKeys, { get })
    const missing = promisesOf<Omit<KeysClient, "create">>()
    // @ts-expect-error the client has no method of the row create
    missing(run, Core.ApiKeys, { create })
    // @ts-expect-error the port has no method of the row create
    promisesOf<KeysClient>()(run, Core.Organizations, { create })
  })
})
