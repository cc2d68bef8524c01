import * as Context from "effect/Context"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import type { CurrentPrincipal } from "./CurrentPrincipal.ts"

const describe = (description: string) => Context.make(OpenApi.Description, description)

/** HTTP Basic with the key ID and key secret of an API key: the management API. Contract: section 5. */
export class ManagementSecurity extends HttpApiMiddleware.Service<ManagementSecurity, { provides: CurrentPrincipal }>()(
  "@headgate/http-contract/access/ManagementSecurity",
  {
    security: {
      basic: HttpApiSecurity.basic.pipe(
        HttpApiSecurity.annotateMerge(describe("The key ID as user name, the key secret as password."))
      )
    }
  }
) {}

/** A bearer token: the observability API. Contract: section 5. */
export class ObservabilitySecurity extends HttpApiMiddleware.Service<
  ObservabilitySecurity,
  { provides: CurrentPrincipal }
>()("@headgate/http-contract/access/ObservabilitySecurity", {
  security: {
    bearer: HttpApiSecurity.bearer.pipe(HttpApiSecurity.annotateMerge(describe("A token that the server minted.")))
  }
}) {}
