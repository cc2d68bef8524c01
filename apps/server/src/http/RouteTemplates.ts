import type { Api } from "@headgate/http-contract"
import * as FindMyWay from "effect/http/FindMyWay"
import type * as HttpRouter from "effect/http/HttpRouter"

/** What stands for a path that the server does not have. */
export const noRoute = "none"

/** A path of the contract as it stands in OpenAPI, in metrics and in traces. */
export const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}")

// At most 256 KiB, whatever callers ask for.
const mostRemembered = 1024
const longestRemembered = 256

// What is no id but looks like one is no part of a template's own either.
const ids = /[0-9a-fA-F-]{36}/g

const makeTemplates = (api: Api, routerConfig: Partial<FindMyWay.RouterConfig>) => {
  const templates = FindMyWay.make<string>(routerConfig)
  const paths = Object.values(api.groups).flatMap(({ endpoints }) => Object.values(endpoints).map(({ path }) => path))
  for (const path of new Set([...paths, "/openapi.json", "/docs"])) {
    // Endpoints are declared with the router's own paths; their type says string.
    templates.on("GET", path as HttpRouter.PathInput, templateOf(path))
  }
  return templates
}

/**
 * Tells the path of the contract that a request's URL is an instance of, such as
 * `/v1/organizations/{organizationId}/keys`: there are few of these, and they hold nothing of a caller's.
 */
export const routeTemplates = (api: Api, routerConfig: Partial<FindMyWay.RouterConfig>) => {
  // Not before somebody asks: a start has no time for it.
  let templates: ReturnType<typeof makeTemplates> | undefined
  // Callers ask for the same again and again, with other ids.
  const known = new Map<string, string>()
  return (url: string): string => {
    const shape = url.replaceAll(ids, "id")
    const remembered = known.get(shape)
    if (remembered !== undefined) return remembered
    templates ??= makeTemplates(api, routerConfig)
    const template = templates.find("GET", shape)?.handler ?? noRoute
    if (known.size >= mostRemembered) known.clear()
    if (template !== noRoute && shape.length <= longestRemembered) known.set(shape, template)
    return template
  }
}
