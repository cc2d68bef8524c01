import type { Random } from "../load/Random.ts"

/** A request that is being made up: mutations change it in place. */
export interface Draft {
  method: string
  target: string
  version: string
  headers: Array<[name: string, value: string]>
  /** The body while it is still a document; `undefined` when there is none, or when it is bytes already. */
  json: unknown
  /** The body as bytes. */
  body: Buffer | undefined
  chunked: boolean
  /** Not HTTP any more, or no longer sure to be: who refuses it may not know which API was meant. */
  isHttp: boolean
  /** The names of the mutations that made it what it is. */
  readonly recipe: Array<string>
}

/** One way to spoil a request. */
export interface Mutation {
  readonly name: string
  /** Whether it makes sense for this draft. */
  readonly fits: (draft: Draft) => boolean
  readonly apply: (draft: Draft, random: Random) => void
}

/** Applies a mutation, and notes that it did. */
export const mutate = (draft: Draft, { apply, name }: Mutation, random: Random): void => {
  apply(draft, random)
  draft.recipe.push(name)
}

/** The body as bytes, whatever it is by now. */
export const bodyOf = ({ body, json }: Draft): Buffer | undefined =>
  body ?? (json === undefined ? undefined : Buffer.from(JSON.stringify(json)))

/** Makes bytes of the document, for mutations that work on text. */
export const toBytes = (draft: Draft): Buffer => {
  draft.body = bodyOf(draft) ?? Buffer.alloc(0)
  draft.json = undefined
  return draft.body
}

/** Sets a header, in place of one of this name. */
export const setHeader = (draft: Draft, name: string, value: string): void => {
  dropHeader(draft, name)
  draft.headers.push([name, value])
}

export const dropHeader = (draft: Draft, name: string): void => {
  draft.headers = draft.headers.filter(([known]) => known.toLowerCase() !== name)
}
