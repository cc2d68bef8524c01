import type { Tarball } from "../tarball/Tarball.ts"

/** Whether what the package needs is in its own files: an app, or a library for programs without Effect. */
export const isBundled = ({ manifest: { bin, dependencies, peerDependencies } }: Tarball): boolean =>
  bin !== undefined || (dependencies === undefined && peerDependencies === undefined)

/** The rules for package.json: ESM, no side effects, types for each export, effect as a peer unless it is bundled. */
export const manifestFaults = (tarball: Tarball): ReadonlyArray<string> => {
  const { files, has, manifest, read } = tarball
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

  const bundled = isBundled(tarball)
  hold(!bundled || has("dist/THIRD-PARTY-NOTICES.txt"), "the licences of what is bundled are in the tarball")
  if (bin !== undefined) {
    hold(Object.keys(dependencies).length === 0, "an app bundles what it needs: no dependencies")
    for (const file of Object.values(bin)) {
      hold(has(file.replace(/^\.\//, "")), `"bin" names a file in the tarball: ${file}`)
    }
    return faults
  }
  hold(manifest.sideEffects === false, `"sideEffects" is false`)
  hold(bundled || peerDependencies["effect"] !== undefined, "effect is a peer dependency")
  hold(dependencies["effect"] === undefined, "effect is no dependency: one Effect in the user's program")
  hold(exports !== undefined, `"exports" is there`)
  for (const [entry, target] of Object.entries(exports ?? {})) {
    if (target === null || typeof target === "string") continue
    hold(Object.keys(target)[0] === "types", `"exports" names the types of ${entry} first`)
    const paths = Object.values(target).flatMap((path) => (typeof path === "string" ? [path] : Object.values(path)))
    for (const path of paths) hold(has(path.slice(2)), `"exports" of ${entry}: ${path} is in the tarball`)
    const code = typeof target["default"] === "string" ? target["default"].slice(2) : undefined
    if (code !== undefined && has(code) && !bundled) {
      hold(read(code).includes("//# sourceMappingURL="), `${code} names its source map`)
    }
  }
  return faults
}
