import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const declaration = /(?<=^export const version = ")[^"]*(?="$)/m

/** Writes the version of http-adapter's package.json into the constant that names it in the User-Agent. */
export const adoptVersion = (root: string): void => {
  const folder = join(root, "packages/http-adapter")
  const file = join(folder, "src/layers/UserAgent.ts")
  const { version }: { readonly version: string } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const source = readFileSync(file, "utf8")
  if (!declaration.test(source)) throw new Error(`${file} has no line of the form: export const version = "1.2.3"`)
  writeFileSync(file, source.replace(declaration, version))
}
