import type { Principal } from "@headgate/core/access"
import * as Context from "effect/Context"

/** Who is calling: provided to a handler by the security middleware of its API. */
export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()(
  "@headgate/http-contract/access/CurrentPrincipal"
) {}
