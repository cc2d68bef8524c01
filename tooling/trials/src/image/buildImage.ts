import type { Verdict } from "@headgate/harness/Verdict"
import { execFileSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { ImageStore } from "./ImageStore.ts"

export interface BuildOptions {
  readonly base: string
  readonly directory: string
  readonly root: string
  readonly target: "chdb" | "server"
  /** Whether the stage that builds the package runs as well; else the package is the one built in the checkout. */
  readonly isWhole: boolean
}

/** Packs the built server of the checkout as npm would, into the folder `package`. */
const packServer = (root: string, folder: string) => {
  mkdirSync(folder)
  const tarball = join(folder, "server.tgz")
  execFileSync("pnpm", ["--dir", join(root, "apps/server"), "pack", "--out", tarball], { stdio: "pipe" })
  execFileSync("tar", ["--extract", "--gzip", "--no-same-owner", "--file", tarball, "--directory", folder])
}

/** Builds a target of the Dockerfile, or of the file that `TRIAL_DOCKERFILE` names, and returns the name of the image. */
export const buildImage = (store: ImageStore, { base, directory, isWhole, root, target }: BuildOptions): string => {
  const name = `localhost/headgate-${target}:trial`
  const folder = join(directory, "packed")
  if (!isWhole) packServer(root, folder)
  const file = process.env["TRIAL_DOCKERFILE"] ?? join(root, "Dockerfile")
  const packed = isWhole ? [] : ["--build-context", `package=${folder}`]
  const options = ["--format", "docker", "--isolation", "chroot", "--pull-never", "--quiet", ...packed]
  store.buildah(
    "build",
    ...options,
    "--build-arg",
    `NODE_IMAGE=${base}`,
    "--file",
    file,
    "--target",
    target,
    "--tag",
    name,
    root
  )
  return name
}

const linesOf = (program: string, ...args: ReadonlyArray<string>): ReadonlyArray<string> =>
  execFileSync(program, args, { encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "")

/** The bytes of all files in a folder. */
const bytesIn = (folder: string): number =>
  Number.parseInt(linesOf("du", "--summarize", "--bytes", folder)[0] ?? "", 10)

const mostBytes = 40e6

/** Checks what the image adds to the base, and returns its bytes. */
export const checkFiles = (image: string, base: string, target: "chdb" | "server", verdict: Verdict): number => {
  const bytes = bytesIn(image) - bytesIn(base)
  if (target === "server") verdict.hold(bytes <= mostBytes, `the layers have ${bytes} bytes, more than ${mostBytes}`)
  const program = join(image, "opt/headgate")
  const writable = ["!", "-type", "l", "(", "!", "-uid", "0", "-o", "-perm", "/022", ")"]
  verdict.none(linesOf("find", program, ...writable), "files of the program that others than root may write")
  const packages = linesOf("find", program, "-path", `${program}/*node_modules/*`, "-prune", "-name", "[a-z@]*")
  // The engine has dependencies of its own.
  if (target === "server") verdict.none(packages, "packages beside the server")
  return bytes
}
