import { type DocumentKindName, documentKinds, examples } from "@headgate/core/adapter"
import * as Schema from "effect/Schema"

/** A request for a document of a kind: the example of core with this name. It has everything that the kind requires. */
export const documentRequest = (kind: DocumentKindName, name: string): any => {
  const { noun, Request } = documentKinds[kind]
  return Schema.decodeUnknownSync<any>(Request)({ ...examples[noun].create.payload, name })
}

/** The address of a document of a kind. */
export const documentAddress = (kind: DocumentKindName, id: string): any => ({ [`${documentKinds[kind].noun}Id`]: id })
