import { posix } from "node:path"
import { appNames, appRule, exportedWhole, packageRules, requiredFolders, type Rule } from "./rules.ts"
import { type Import, outline, type Source } from "./Source.ts"

export interface Violation {
  readonly file: string
  readonly line: number
  readonly specifier: string
  readonly rule: string
}

interface Place {
  /** `packages/core` */
  readonly folder: string
  readonly name: string
  readonly isApp: boolean
  readonly npmName: string
  readonly rule: Rule | undefined
}

const appNpmNames: Readonly<Record<string, string>> = { cli: "headgate", server: "headgate-server" }

const placeOf = (path: string): Place => {
  const [area = "", name = ""] = path.split("/")
  const isApp = area === "apps"
  return {
    folder: `${area}/${name}`,
    name,
    isApp,
    npmName: isApp ? (appNpmNames[name] ?? name) : `@headgate/${name}`,
    rule: isApp ? appRule : packageRules[name]
  }
}

const packageNameOf = (specifier: string) =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")

const isWorkspaceName = (name: string) => name.startsWith("@headgate/") || appNames.includes(name)

const relativeFault = (place: Place, path: string, specifier: string) =>
  posix.join(posix.dirname(path), specifier).startsWith(`${place.folder}/src/`)
    ? undefined
    : `a relative import stays inside ${place.folder}/src`

const workspaceFault = (place: Place, allowed: ReadonlyArray<string>, name: string, specifier: string) => {
  if (name === place.npmName) return "a package imports its own files by relative path"
  if (!allowed.includes(name)) {
    if (appNames.includes(name)) return place.isApp ? "apps never import one another" : "packages never import apps"
    if (name.endsWith("-adapter") && place.name.endsWith("-adapter")) return "adapters never import one another"
    return `${place.folder} may import of this workspace only: ${allowed.join(", ") || "nothing"}`
  }
  const inside = specifier.slice(name.length + 1).split("/")
  return inside.some((part) => part === "src" || part === "dist" || part === "internal")
    ? "no import reaches into another package: use its entry points"
    : undefined
}

const importFault = (place: Place, path: string, { isType, name: specifier }: Import): string | undefined => {
  const { rule } = place
  if (rule === undefined) return `say in tooling/structure/src/rules.ts what ${place.folder} may import`
  if (specifier.startsWith(".")) return relativeFault(place, path, specifier)
  if (specifier === "import(...)") return "import() takes a literal, so that this test can read it"
  const isOptedInto = rule.only !== undefined && path.startsWith(`${place.folder}/src/${rule.only.folder}/`)
  const opted = isOptedInto ? rule.only : undefined
  const workspace = [...rule.workspace, ...(opted?.workspace ?? [])]
  const external = rule.external === "any" ? rule.external : [...rule.external, ...(opted?.external ?? [])]
  if (specifier.startsWith("node:")) {
    return rule.node || external.includes(specifier) ? undefined : `${place.folder} runs anywhere: no Node built-ins`
  }
  const name = packageNameOf(specifier)
  if (isWorkspaceName(name)) {
    return !isType && rule.typesOf?.includes(name) === true
      ? `${place.folder} takes types alone from ${name}: import type`
      : workspaceFault(place, workspace, name, specifier)
  }
  if (specifier === "effect" && !place.isApp) {
    return "packages import effect by sub-path (effect/Schema): the barrel quadruples what a consumer bundles"
  }
  return external === "any" || external.includes(name)
    ? undefined
    : `${place.folder} may import of other packages only: ${external.join(", ")}`
}

const mayLaunch = (place: Place, path: string) => place.isApp && path === `${place.folder}/src/main.ts`

const mayExportWhole = (path: string, specifier: string) =>
  exportedWhole.by.test(path) && posix.join(posix.dirname(path), specifier) === exportedWhole.module

/** Every wrong-way import and misplaced start in these sources, in the order of the files. */
export const violations = (sources: Iterable<Source>): ReadonlyArray<Violation> =>
  Array.from(sources).flatMap((source) => {
    const place = placeOf(source.path)
    const { imports, launches, starExports } = outline(source)
    const report = (line: number, specifier: string, rule: string): Violation => ({
      file: source.path,
      line,
      specifier,
      rule
    })
    return [
      ...imports.flatMap((imported) => {
        const fault = importFault(place, source.path, imported)
        return fault === undefined ? [] : [report(imported.line, imported.name, fault)]
      }),
      ...starExports
        .filter(({ name }) => !mayExportWhole(source.path, name))
        .map(({ line, name }) => report(line, name, "no export *: entry points name what they export")),
      ...(mayLaunch(place, source.path)
        ? []
        : launches.map(({ line, name }) => report(line, name, "a program starts only in apps/*/src/main.ts")))
    ]
  })

/** Packages with an entry point that lack one of the folders every package holds. */
export const missingFolders = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.keys(packageRules).flatMap((name) =>
    paths.includes(`packages/${name}/src/index.ts`)
      ? requiredFolders(name)
          .map((folder) => `packages/${name}/src/${folder}`)
          .filter((folder) => !paths.some((path) => path.startsWith(`${folder}/`)))
      : []
  )

export const render = ({ file, line, rule, specifier }: Violation) => `${file}:${line} "${specifier}": ${rule}`
