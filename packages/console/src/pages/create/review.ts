import { isFields } from "../../format/fields.ts"
import { below } from "../../parts/schemaForm/nodeDraft.ts"
import { type FormNode, isSecretName } from "../../parts/schemaForm/schemaNode.ts"
import { toYaml } from "./yaml.ts"

type Replace = (path: string, name: string) => string

const replaceIn = (
  node: FormNode | undefined,
  value: unknown,
  path: string,
  name: string,
  replace: Replace
): unknown => {
  if (node?.kind === "value") return node.isSecret ? replace(path, name) : value
  if (Array.isArray(value))
    return value.map((item, index) =>
      replaceIn(node?.kind === "list" ? node.item : undefined, item, `${path}[${index}]`, name, replace)
    )
  if (isFields(value)) {
    const members = node?.kind === "object" ? node.members : []
    return Object.fromEntries(
      Object.entries(value).map(([field, inside]) => {
        const member = members.find((one) => one.name === field)
        return [field, replaceIn(member?.node, inside, below(path, field), field, replace)]
      })
    )
  }
  // What no schema describes is judged by its name.
  return typeof value === "string" && isSecretName(name) ? replace(path, name) : value
}

/** A request without its secrets: each is what `replace` makes of its path and its name. */
export const withoutSecrets = (node: FormNode, request: unknown, replace: Replace): unknown =>
  replaceIn(node, request, "", "", replace)

/** The variable that a file for `apply` takes a secret from: `KAFKA_CREDENTIALS_PASSWORD`. */
export const variableOf = (path: string): string =>
  path
    .replace(/^source\./, "")
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .replaceAll(/\W+/g, "_")
    .toUpperCase()

/** A name as that of a file. */
const slug = (name: string): string =>
  name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|(?<!-)-+$/g, "") || "pipe"

/** A request as people keep it, without its secrets. */
export interface Review {
  readonly json: string
  readonly jsonFile: string
  readonly command: string
  readonly yaml: string
  readonly yamlFile: string
  /** The variables that hold the secrets of the file for `apply`. */
  readonly variables: ReadonlyArray<string>
}

/** The review of a request. */
export const reviewOf = (node: FormNode, request: { readonly name: string }): Review => {
  const variables: Array<string> = []
  const json = withoutSecrets(node, request, (_, name) => `<${name}>`)
  const referring = withoutSecrets(node, request, (path) => {
    variables.push(variableOf(path))
    return `\${env:${variableOf(path)}}`
  })
  const { startPaused, ...document } = isFields(referring) ? referring : {}
  const { name, ...rest } = document
  const file = slug(request.name)
  return {
    json: `${JSON.stringify(json, undefined, 2)}\n`,
    jsonFile: `${file}.json`,
    command: `headgate pipe create --file ${file}.json --wait`,
    yaml: toYaml({ name, ...(startPaused === true ? { stopped: true } : {}), ...rest }),
    yamlFile: `${file}.pipe.yaml`,
    variables
  }
}
