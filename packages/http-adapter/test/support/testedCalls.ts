import { type SampleCall, sampleCalls } from "@headgate/samples"
import * as Arr from "effect/Array"

/** `npm run test:long`. */
export const isLong = process.env["HEADGATE_LONG_TESTS"] === "1"

// Two operations of one kind differ in their schemas only, which Ports.test.ts checks for every operation.
const kindOf = ({ isRepeatable, operation: { api, method } }: SampleCall): string => [api, method, isRepeatable].join()

const ofEachKind = (most: number): ReadonlyArray<SampleCall> =>
  Object.values(Arr.groupBy(sampleCalls, kindOf)).flatMap(Arr.take(most))

/**
 * The operations for the tests that take many cases each. `npm run test:long` takes each that is not to be sent twice, and two of each
 * other kind, `npm test` one of each kind.
 */
export const testedCalls: ReadonlyArray<SampleCall> = isLong
  ? sampleCalls.filter((sample) => !sample.isRepeatable || ofEachKind(2).includes(sample))
  : ofEachKind(1)
