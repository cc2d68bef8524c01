import type { Tarball } from "../tarball/Tarball.ts"
import { bundledFaults } from "./bundledFaults.ts"
import { loadedFaults } from "./loadedFaults.ts"
import { manifestFaults } from "./manifestFaults.ts"
import { publintFaults } from "./publintFaults.ts"
import { siteFaults } from "./siteFaults.ts"
import { sourceMapFaults } from "./sourceMapFaults.ts"
import { typesFaults } from "./typesFaults.ts"

/** All faults of a packed package. */
export const tarballFaults = async (tarball: Tarball): Promise<ReadonlyArray<string>> => [
  ...manifestFaults(tarball),
  ...bundledFaults(tarball),
  ...loadedFaults(tarball),
  ...siteFaults(tarball),
  ...sourceMapFaults(tarball),
  ...(await publintFaults(tarball)),
  ...(await typesFaults(tarball))
]
