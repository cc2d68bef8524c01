import { assert, it } from "@effect/vitest"
import * as conformance from "../src/index.ts"
import { suites } from "../src/suites.ts"

// `versionsLaws` takes nouns: it has a suite for each of them.
const runners = ["adapterLaws", "portLaws", "versionsLaws"]

it("every suite that the package exports is among those that run over every adapter", () => {
  const exported = Object.keys(conformance).filter((name) => name.endsWith("Laws") && !runners.includes(name))
  assert.sameMembers(
    exported,
    Object.keys(suites).filter((name) => !name.endsWith("VersionsLaws"))
  )
})
