import { assert, it } from "@effect/vitest"
import { isTooDeep } from "../../src/schema/isTooDeep.ts"

it("brackets in strings are no depth, escaped quotes do not end one", () => {
  assert.isFalse(isTooDeep('{"a":"[[[[[[","b":"\\"[[[[[","c":[1]}', 2))
  assert.isTrue(isTooDeep('{"a":"\\\\","b":[[1]]}', 2))
  assert.isFalse(isTooDeep("[[]][[]]", 2))
  assert.isTrue(isTooDeep("[[[]]]", 2))
  assert.isFalse(isTooDeep('"[[[[', 2))
})
