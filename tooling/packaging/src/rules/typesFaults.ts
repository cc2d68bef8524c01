import { checkPackage } from "@arethetypeswrong/core"
import { problemAffectsResolutionKind, problemKindInfo } from "@arethetypeswrong/core/problems"
import type { Tarball } from "../tarball/Tarball.ts"

/** The findings of are-the-types-wrong for importers of ES modules, as with its `--profile esm-only`. */
export const typesFaults = async (tarball: Tarball): Promise<ReadonlyArray<string>> => {
  const analysis = await checkPackage(tarball.contents)
  if (analysis.types === false) {
    return tarball.manifest.exports === undefined ? [] : ["attw: there are exports, but no types"]
  }
  return analysis.problems
    .filter((problem) =>
      (["node16-esm", "bundler"] as const).some((kind) => problemAffectsResolutionKind(problem, kind, analysis))
    )
    .map((problem) => `attw: ${problemKindInfo[problem.kind].shortDescription} ${JSON.stringify(problem)}`)
}
