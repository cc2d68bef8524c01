import { assert, describe, it } from "@effect/vitest"
import { invalidRequest } from "../../src/error/CallError.ts"
import { notFound } from "../../src/error/notFoundErrors.ts"
import { organizationId, pipeId, serviceId } from "../ids.ts"

const address = { organizationId, serviceId, pipeId }

describe("errors without a stack", () => {
  it("name what is wrong, and no line of this program", () => {
    const unknown = notFound("PipeNotFound", address)
    const wrong = invalidRequest([{ path: "name", message: "Expected a text" }])
    assert.include(unknown.message, address.pipeId)
    assert.include(wrong.message, "name: Expected a text")
    assert.notInclude(unknown.stack ?? "", "\n    at ")
    assert.notInclude(wrong.stack ?? "", "\n    at ")
  })

  it("leave other errors their stack, also after one that could not be made", () => {
    notFound("PipeNotFound", address)
    assert.include(new Error("another").stack, "withoutStack.test.ts")
    const own = new Set<string>()
    try {
      notFound("PipeNotFound", address, () => {
        throw new Error("no fields")
      })
    } catch (error) {
      if (error instanceof Error) own.add(error.stack ?? "")
    }
    assert.include([...own].join(), "withoutStack.test.ts")
    // Refused by the schema of the error.
    assert.throws(() => notFound("PipeNotFound", address, () => ({ message: "wrong", status: 0.5 })))
    assert.include(new Error("another").stack, "withoutStack.test.ts")
  })

  it("add no limit to a runtime that has none", () => {
    const limit = Error.stackTraceLimit
    Reflect.deleteProperty(Error, "stackTraceLimit")
    try {
      notFound("PipeNotFound", address)
      assert.notProperty(Error, "stackTraceLimit")
    } finally {
      Error.stackTraceLimit = limit
    }
  })
})
