import type { PublishedPackage } from "../workspace/PublishedPackage.ts"

/**
 * Whatever stands on core runs on core's Effect and on no other: a wider range would only move the refusal from the
 * package that one installs to a package that one has not heard of (docs/adr/0014-direct-decode.md).
 */
export const peerFaults = (packages: ReadonlyArray<PublishedPackage>): ReadonlyArray<string> => {
  const effectOf = ({ manifest }: PublishedPackage) => manifest.peerDependencies?.["effect"]
  const core = packages.find(({ manifest }) => manifest.name === "@headgate/core")
  const range = core && effectOf(core)
  return packages
    .filter((one) => effectOf(one) !== undefined && effectOf(one) !== range)
    .map((one) => `${one.manifest.name}: its peer effect is ${effectOf(one)}, that of @headgate/core ${range}`)
}
