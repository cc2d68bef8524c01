import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const noticesFile = "THIRD-PARTY-NOTICES.txt"

/** Licence texts that packages should bring along and do not. */
const licences = fileURLToPath(new URL("licences/", import.meta.url))

/** The folder in `licences` is asked for packages without a licence file of their own. */
const textOf = new Map(
  // Their texts are in their READMEs.
  ["pg-types", "pg-copy-streams", "pgpass"].map((name) => [name, `${name}.txt`])
)

/** Modules of a package that consist of another's work, whose licence the package does not bring along. */
const embedded = [
  {
    module: /\/effect\/dist\/http-api\/internal\/httpApiSwagger\.js$/,
    name: "swagger-ui",
    version: "5.31.0",
    // What the module itself says, so that an update of it is noticed.
    evidence: String.raw`PACKAGE_VERSION:\"5.31.0\"`,
    license: "Apache-2.0",
    file: "swagger-ui-5.31.0.txt"
  }
]

const licenceFile = /^(licen[cs]e|copying|notice)([.-].*)?$/i

const read = (file) => readFileSync(file, "utf8").replaceAll("\r\n", "\n").trim()

/** The package.json that a module's package stands under: the nearest one that has a name and a version. */
const packageFolder = (module) => {
  for (let folder = dirname(module); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = join(folder, "package.json")
    if (existsSync(manifest)) {
      const { name, version } = JSON.parse(readFileSync(manifest, "utf8"))
      if (name !== undefined && version !== undefined) return folder
    }
  }
  throw new Error(`${module} belongs to no package`)
}

const noticeOf = (folder) => {
  const { license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const own = readdirSync(folder).filter((file) => licenceFile.test(file))
  const files =
    own.length > 0
      ? own.map((file) => join(folder, file))
      : [textOf.get(name)].flatMap((file) => (file === undefined ? [] : [join(licences, file)]))
  if (files.length === 0) {
    throw new Error(
      `${name} ${version} has no licence file: put its text in tooling/toolchain/licences, see notices.mjs`
    )
  }
  return { name, version, license, text: files.map(read).join("\n\n") }
}

const embeddedIn = (modules) =>
  embedded.flatMap(({ evidence, file, license, module, name, version }) => {
    const found = modules.find((path) => module.test(path))
    if (found === undefined) return []
    if (!readFileSync(found, "utf8").includes(evidence)) {
      throw new Error(`${found} no longer holds ${name} ${version}: bring its licence in tooling/toolchain up to date`)
    }
    return [{ name, version, license, text: read(join(licences, file)) }]
  })

const byName = (a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1)

/** Who wrote what is in these modules, and under which licence; modules of this workspace are left out. */
export const noticesOf = (modules) => {
  // A path that begins with NUL is of no file: the bundler made the module.
  const foreign = modules
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.includes("/node_modules/") && !path.startsWith("\0"))
  const folders = new Set(foreign.map(packageFolder))
  return [...Array.from(folders, noticeOf), ...embeddedIn(foreign)].toSorted(byName)
}

const rule = "-".repeat(80)

export const render = (notices) =>
  [
    "This program contains the work of others, under the licences that follow.",
    ...notices.map(({ license, name, text, version }) => `${rule}\n${name} ${version} (${license})\n${rule}\n\n${text}`)
  ].join("\n\n") + "\n"

/** The modules of which something is in the chunks of a bundle. */
const modulesIn = (bundle) =>
  Object.values(bundle).flatMap((output) =>
    output.type === "chunk"
      ? Object.entries(output.modules).flatMap(([path, { renderedLength }]) => (renderedLength > 0 ? [path] : []))
      : []
  )

/** The notices of a built site, beside its page: they belong to those of the app that serves it. */
const siteNoticesFile = "notices.json"

/** A plugin of Vite: writes whose modules are in a site, for {@link notices} of the app. */
export const siteNotices = () => ({
  name: "site-notices",
  generateBundle(_options, bundle) {
    const source = JSON.stringify(noticesOf(modulesIn(bundle)))
    this.emitFile({ type: "asset", fileName: siteNoticesFile, source })
  }
})

/** A Rolldown plugin: writes, beside the bundle, the licences of all whose modules are in it or in its sites, if there are any. */
export const notices = (sites = []) => ({
  name: "third-party-notices",
  generateBundle(_options, bundle) {
    const ofSites = sites.flatMap((folder) => JSON.parse(readFileSync(join(folder, siteNoticesFile), "utf8")))
    const all = [...noticesOf(modulesIn(bundle)), ...ofSites].map((notice) => [
      `${notice.name} ${notice.version}`,
      notice
    ])
    const found = Array.from(new Map(all).values()).toSorted(byName)
    if (found.length > 0) this.emitFile({ type: "asset", fileName: noticesFile, source: render(found) })
  }
})
