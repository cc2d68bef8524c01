import { expect, it } from "@effect/vitest"
import { fileURLToPath } from "node:url"
import { pipeStatesDocument } from "./pipeStatesDocument.ts"

it("docs/pipe-states.md is what the data of the state machine says", () =>
  expect(pipeStatesDocument).toMatchFileSnapshot(
    fileURLToPath(new URL("../../../../docs/pipe-states.md", import.meta.url))
  ))
