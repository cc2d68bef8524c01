import type { PublishedPackage } from "../workspace/PublishedPackage.ts"

const addressOf = (url: string) => url.replace(/^git\+/, "").replace(/\.git$/, "")

/**
 * What keeps npm from attesting where a package was built: its package.json must name the public repository and the
 * package's folder in it. `builtIn`: the address of the repository that the release runs in, if that is known.
 */
export const repositoryFaults = (
  packages: ReadonlyArray<PublishedPackage>,
  builtIn: string | undefined
): ReadonlyArray<string> =>
  packages.flatMap(({ folder, manifest: { name, repository } }) => {
    if (typeof repository !== "object" || repository.url === undefined) {
      return [`${name}: ${folder}/package.json names no repository`]
    }
    const address = addressOf(repository.url)
    return [
      ...(builtIn === undefined || address === builtIn ? [] : [`${name}: repository is ${address}, not ${builtIn}`]),
      ...(repository.directory === folder ? [] : [`${name}: repository.directory is not ${folder}`])
    ]
  })
