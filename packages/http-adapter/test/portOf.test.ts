import { assert, describe, it } from "@effect/vitest"
import type { CdcScaling } from "@headgate/core"
import { cdcScalingOperations, neutral } from "@headgate/http-contract"
import type { Connection } from "../src/connect.ts"
import { portOf } from "../src/portOf.ts"

const { get, update } = cdcScalingOperations(neutral)

describe("a table that is not that of the port", () => {
  // Each directive fails the build if its line compiles: only the compiler runs these.
  const refused = (connection: Connection) => [
    // @ts-expect-error: "the row update is not the method update of the port": it is missing
    portOf<CdcScaling["Service"]>()({ get }, connection, ""),
    // @ts-expect-error: "the row more is not the method more of the port": the port has none
    portOf<CdcScaling["Service"]>()({ get, update, more: get }, connection, ""),
    // @ts-expect-error: "the row get is not the method get of the port": it takes a payload
    portOf<CdcScaling["Service"]>()({ get: update, update }, connection, ""),
    // @ts-expect-error: "the row update is not the method update of the port": it would not send the payload
    portOf<CdcScaling["Service"]>()({ get, update: get }, connection, ""),
    // @ts-expect-error: "the row get is not the method get of the port": its 404 is another error
    portOf<CdcScaling["Service"]>()({ get: { ...get, notFound: "PipeNotFound" }, update }, connection, "")
  ]

  it("does not compile", () => {
    assert.isFunction(refused)
  })
})
