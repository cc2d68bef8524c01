import type { PublishedPackage } from "../workspace/PublishedPackage.ts"

/**
 * Every package needs the same range of effect as core. A wider range would only move the installation error to another
 * package (docs/adr/0014-direct-decode.md).
 */
export const peerFaults = (packages: ReadonlyArray<PublishedPackage>): ReadonlyArray<string> => {
  const effectOf = ({ manifest }: PublishedPackage) => manifest.peerDependencies?.["effect"]
  const core = packages.find(({ manifest }) => manifest.name === "@headgate/core")
  const range = core && effectOf(core)
  return packages
    .filter((one) => effectOf(one) !== undefined && effectOf(one) !== range)
    .map((one) => `${one.manifest.name}: its peer effect is ${effectOf(one)}, that of @headgate/core ${range}`)
}
