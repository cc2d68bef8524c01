import type { Pipe } from "@headgate/core"
import { type Dialect, renameSetting } from "@headgate/http-contract"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import { detailText } from "../output/detail.ts"
import { masked } from "../output/masked.ts"

/**
 * A pipe for a reader: what it is, then where from, where to and how. Fields carry the names of the JSON, in the
 * dialect in use; secrets do not show.
 */
export const pipeText = (dialect: Dialect, pipe: Pipe): string => {
  const { createdAt, destination, fieldMappings, id, name, scaling, serviceId, source, state, updatedAt, ...more } =
    pipe
  const settings = Predicate.isNotNullish(pipe.settings)
    ? Record.mapKeys(pipe.settings, (setting) => renameSetting(dialect, setting))
    : pipe.settings
  const inOrder = {
    name,
    state,
    id,
    serviceId,
    createdAt,
    updatedAt,
    source,
    destination,
    fieldMappings,
    scaling,
    settings
  }
  return detailText(masked({ ...inOrder, ...more, settings }))
}
