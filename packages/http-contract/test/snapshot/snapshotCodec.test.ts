import { assert, describe, it } from "@effect/vitest"
import { Snapshot } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { dialectNames, dialects, snapshotCodec } from "../../src/index.ts"
import { dashboardDocument, organizationId, pipeDocuments, serviceId } from "../documents.ts"

const snapshotDocument = (pipe: Schema.JsonObject): Schema.JsonObject => ({
  organizations: [
    {
      id: organizationId,
      name: "Acme",
      services: [{ id: serviceId, name: "analytics", pipes: [pipe] }],
      dashboards: [dashboardDocument]
    }
  ]
})

describe.each(dialectNames.map((name) => ({ name })))("a snapshot in the $name dialect", ({ name }) => {
  it.effect("encodes its pipes in that dialect, and decodes to the same snapshot", () =>
    Effect.gen(function* () {
      const OnWire = snapshotCodec(dialects[name])
      const document = snapshotDocument(pipeDocuments[name])
      const snapshot = yield* Schema.decodeUnknownEffect(OnWire)(document)
      assert.deepStrictEqual<unknown>(yield* Schema.encodeEffect(OnWire)(snapshot), document)
      assert.deepStrictEqual<unknown>(
        yield* Schema.encodeEffect(Snapshot)(snapshot),
        snapshotDocument(pipeDocuments.neutral)
      )
    })
  )
})
