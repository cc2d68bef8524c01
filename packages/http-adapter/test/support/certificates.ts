import * as Effect from "effect/Effect"
import { generate } from "selfsigned"
import type { Pem } from "./FaultServer.ts"

const day = 24 * 60 * 60 * 1000

const issue = async (name: string, from: number, to: number): Promise<Pem> => {
  const { cert, private: key } = await generate([{ name: "commonName", value: name }], {
    keyType: "ec",
    notBeforeDate: new Date(Date.now() + from * day),
    notAfterDate: new Date(Date.now() + to * day),
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: name }] }]
  })
  return { cert, key }
}

// One of each is enough for as many servers as there are.
const issued = {
  selfSigned: issue("localhost", -1, 1),
  expired: issue("localhost", -3, -1),
  wrongHost: issue("elsewhere.test", -1, 1)
}

/** A certificate of an authority of our own, for `localhost` unless that is what is wrong with it. */
export const certificate = (kind: keyof typeof issued) => Effect.promise(() => issued[kind])
