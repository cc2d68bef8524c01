import { assert, it } from "@effect/vitest"
import { hasMoreFields, hasMoreValues, isTooDeep } from "../../src/schema/jsonLimits.ts"

it("brackets in strings are no depth, escaped quotes do not end one", () => {
  assert.isFalse(isTooDeep('{"a":"[[[[[[","b":"\\"[[[[[","c":[1]}', 2))
  assert.isTrue(isTooDeep('{"a":"\\\\","b":[[1]]}', 2))
  assert.isFalse(isTooDeep("[[]][[]]", 2))
  assert.isTrue(isTooDeep("[[[]]]", 2))
  assert.isFalse(isTooDeep('"[[[[', 2))
})

it("fields and elements are values, commas and brackets in strings are none", () => {
  const text = '{"a":[1,2,"x,y[{\\",,,"],"b":{"c":[]}}'
  assert.isTrue(hasMoreValues(text, 6))
  assert.isFalse(hasMoreValues(text, 7))
  assert.isFalse(hasMoreValues("[1]", 1))
  assert.isTrue(hasMoreValues("[1,2]", 1))
})

it("the fields of each object are counted apart, those of arrays and strings not at all", () => {
  const text = '{"a":[1,2,3,4,5],"b":{"c":",,,{","d":1,"d":2}}'
  assert.isTrue(hasMoreFields(text, 2))
  assert.isFalse(hasMoreFields(text, 3))
  assert.isFalse(hasMoreFields("[1,2,3,4,5,6,7,8,9]", 1))
  assert.isTrue(hasMoreFields('[{"a":1},{"a":1,"b":2}]', 1))
})
