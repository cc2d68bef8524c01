import { type DocumentKindName, documentKinds, examples } from "@headgate/core/adapter"
import * as Schema from "effect/Schema"
import { fixtureDocuments } from "../fixtures/documents.ts"
import { fixtureSources } from "../fixtures/sources.ts"

/** What the documents of an owner name: resources of the fixture. */
const namedBy = (owner: "acme" | "globex") => ({
  savedSearches: { sourceId: fixtureSources[owner][0].id },
  webhooks: {},
  alerts: {
    savedSearchId: fixtureDocuments.savedSearches[owner][0].id,
    channel: { type: "webhook", webhookId: fixtureDocuments.webhooks[owner][0].id }
  },
  dashboardRoles: {}
})

/**
 * A request for a document of a kind: the example of core with this name. It has everything that the kind requires, and names what the
 * owner has.
 */
export const documentRequest = (kind: DocumentKindName, name: string, owner: "acme" | "globex" = "acme"): any => {
  const { noun, Request } = documentKinds[kind]
  return Schema.decodeUnknownSync<any>(Request)({ ...examples[noun].create.payload, ...namedBy(owner)[kind], name })
}

/** The address of a document of a kind. */
export const documentAddress = (kind: DocumentKindName, id: string): any => ({ [`${documentKinds[kind].noun}Id`]: id })
