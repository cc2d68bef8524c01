import { type SampleCall, sampleCalls } from "@headgate/samples"
import * as Arr from "effect/Array"

// Two operations of one kind differ in their schemas only, which Ports.test.ts checks for every operation.
const kindOf = ({ isRepeatable, operation: { api, method } }: SampleCall): string => [api, method, isRepeatable].join()

const oneOfEachKind = Object.values(Arr.groupBy(sampleCalls, kindOf)).map(Arr.headNonEmpty)

/**
 * The operations for the tests that take many cases each: `npm run test:long` takes all operations, `npm test` one of each
 * kind.
 */
export const testedCalls: ReadonlyArray<SampleCall> =
  process.env["HEADGATE_LONG_TESTS"] === "1" ? sampleCalls : oneOfEachKind
