const organization = "/organizations/:organizationId"
const service = `${organization}/services/:serviceId` as const

/** The paths of the pages below `/console`, with `:name` for each parameter. */
export const paths = {
  service,
  pipes: `${service}/pipes`,
  create: `${service}/pipes/new`,
  pipe: `${service}/pipes/:pipeId`,
  keys: `${organization}/keys`,
  sources: `${organization}/sources`,
  dashboards: `${service}/dashboards`,
  dashboard: `${service}/dashboards/:dashboardId`
} as const

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The parameters of a path that a pattern such as `/organizations/:organizationId` matches; else `undefined`. */
export const paramsOf = (pattern: string, path: string): Readonly<Record<string, string>> | undefined => {
  const names = pattern.split("/")
  const parts = path.split("/")
  if (names.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    const part = parts[index] ?? ""
    if (name.startsWith(":")) params[name.slice(1)] = decode(part)
    else if (name !== part) return undefined
  }
  return params
}

/** The parameters at the beginning of a path that a pattern matches, whatever follows; else `undefined`. */
export const paramsBefore = (pattern: string, path: string): Readonly<Record<string, string>> | undefined =>
  paramsOf(pattern, path.split("/").slice(0, pattern.split("/").length).join("/"))

/** The path of a pattern with its parameters filled in. */
export const pathOf = (pattern: string, params: Readonly<Record<string, string | undefined>>): string =>
  pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))
