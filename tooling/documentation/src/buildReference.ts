// `npm run docs`: the API reference of every published package as one site in docs/api-reference. Needs no network. A
// broken link or a type error fails it.
import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Application } from "typedoc"

const root = join(import.meta.dirname, "../../..")
const out = join(root, "docs/api-reference")

const isPublished = (folder: string) => {
  const manifest: { readonly private?: boolean } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  return manifest.private !== true
}

const app = await Application.bootstrapWithPlugins({
  name: "Headgate",
  entryPointStrategy: "packages",
  entryPoints: globSync("packages/*/package.json", { cwd: root })
    .map((file) => join(root, dirname(file)))
    .filter(isPublished)
    .toSorted(),
  packageOptions: {
    // The sources have no public address yet.
    disableGit: true,
    disableSources: true,
    // Members that errors and services inherit from effect are documented there.
    excludeExternals: true,
    // Types that a signature names and no entry point exports are shown by name.
    validation: { notExported: false }
  },
  readme: join(root, "README.md"),
  projectDocuments: [join(root, "docs/*.md"), join(root, "docs/adr/*.md")],
  externalSymbolLinkMappings: { effect: { "*": "#" } },
  validation: { invalidLink: true, invalidPath: true, notExported: false },
  treatWarningsAsErrors: true,
  highlightLanguages: ["console", "hcl", "http", "ini", "json", "mermaid", "nginx", "sh", "sql", "text", "ts", "yaml"],
  // The highlighter does not know it.
  ignoredHighlightLanguages: ["haproxy"],
  searchInComments: true,
  hideGenerator: true
})

const project = await app.convert()
if (project !== undefined) {
  app.validate(project)
  await app.generateDocs(project, out)
}
if (project === undefined || app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1
else process.stdout.write(`docs/api-reference/index.html: ${project.children?.length} packages\n`)
