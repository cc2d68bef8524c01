import { type ApiKeyAddress, type ApiKeys, Conflict } from "@headgate/core"
import { keySuffix } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"

const isOwn = new Conflict({
  message: "this gateway uses this key at its upstream: change it there, with other credentials"
})

/**
 * The keys of the upstream, without changes of the one whose ID is `ownKeyId`: such a change could shut out every caller of
 * the gateway. A key tells the end of its ID, so it is read before each change; another key with the same end is refused, too.
 */
export const refuseOwnKey = (keys: ApiKeys["Service"], ownKeyId: Effect.Effect<string>): ApiKeys["Service"] => {
  const unlessOwn = Effect.fnUntraced(function* (address: ApiKeyAddress) {
    const key = yield* keys.get(address)
    if (keySuffix(yield* ownKeyId) === key.keySuffix) return yield* isOwn
  })
  return {
    ...keys,
    update: (address, changes) => Effect.andThen(unlessOwn(address), keys.update(address, changes)),
    delete: (address) => Effect.andThen(unlessOwn(address), keys.delete(address))
  }
}
