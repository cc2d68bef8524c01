// `npm run release`, before anything is published: npm attests the build only of a package that names its repository.
import { env } from "node:process"
import { repositoryFaults } from "./release/repositoryFaults.ts"
import { publishedPackages } from "./workspace/PublishedPackage.ts"
import { root } from "./workspace/root.ts"

const { GITHUB_REPOSITORY, GITHUB_SERVER_URL } = env
const builtIn = GITHUB_REPOSITORY === undefined ? undefined : `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`
const faults = repositoryFaults(publishedPackages(root), builtIn)

for (const fault of faults) process.stderr.write(`${fault}\n`)
if (faults.length > 0) {
  process.stderr.write(
    "\nNothing was published. npm's provenance links each package to the public repository it was built from. Name it in\n" +
      `each package.json: "repository": { "type": "git", "url": "git+https://...", "directory": "packages/core" }\n` +
      "npm also resolves the relative links of a README against it: without it those of every package page lead nowhere.\n"
  )
  process.exitCode = 1
}
