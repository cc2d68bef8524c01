import type { Tarball } from "../tarball/Tarball.ts"

/** The rules for package.json: ESM, no side effects, types for each export, effect as a peer. */
export const manifestFaults = ({ files, has, manifest, read }: Tarball): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const hold = (isSo: boolean, fault: string) => {
    if (!isSo) faults.push(fault)
  }
  const { bin, dependencies = {}, exports, peerDependencies = {}, publishConfig } = manifest
  hold(manifest.type === "module", `"type" is "module"`)
  hold(publishConfig?.access === "public", `"publishConfig.access" is "public"`)
  hold(publishConfig?.provenance === true, `"publishConfig.provenance" is true`)
  hold(manifest.license !== undefined && has("LICENSE"), `"license" is named, and LICENSE is in the tarball`)
  hold(has("README.md"), "README.md is in the tarball")
  hold(
    // An example consists of its tests.
    !files.some((file) => /^(?!examples\/)(.*\/)?test\/|(^|\/)node_modules\/|tsbuildinfo$/.test(file)),
    "no test and no build cache is in the tarball"
  )
  const ranges = [...Object.values(dependencies), ...Object.values(peerDependencies)]
  hold(!ranges.some((range) => /^(workspace|catalog|link|file):/.test(range)), "every dependency is a version range")

  if (bin !== undefined) {
    // An app is one bundled file without dependencies.
    hold(Object.keys(dependencies).length === 0, "an app bundles what it needs: no dependencies")
    hold(has("dist/THIRD-PARTY-NOTICES.txt"), "the licences of what is bundled are in the tarball")
    for (const file of Object.values(bin)) {
      hold(has(file.replace(/^\.\//, "")), `"bin" names a file in the tarball: ${file}`)
    }
    return faults
  }
  hold(manifest.sideEffects === false, `"sideEffects" is false`)
  hold(peerDependencies["effect"] !== undefined, "effect is a peer dependency")
  hold(dependencies["effect"] === undefined, "effect is no dependency: one Effect in the user's program")
  hold(exports !== undefined, `"exports" is there`)
  for (const [entry, target] of Object.entries(exports ?? {})) {
    if (target === null || typeof target === "string") continue
    hold(Object.keys(target)[0] === "types", `"exports" names the types of ${entry} first`)
    for (const path of Object.values(target))
      hold(has(path.slice(2)), `"exports" of ${entry}: ${path} is in the tarball`)
    const code = target["default"]?.slice(2)
    if (code !== undefined && has(code)) {
      hold(read(code).includes("//# sourceMappingURL="), `${code} names its source map`)
    }
  }
  return faults
}
