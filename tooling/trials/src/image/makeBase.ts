import { execFileSync } from "node:child_process"
import { copyFileSync, cpSync, mkdirSync, realpathSync, rmSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import type { ImageStore } from "./ImageStore.ts"

/** The certificates of those whom this machine trusts: a proxy may stand between it and the registry. */
const certificates = "/etc/ssl/certs/ca-certificates.crt"

/** The image with a name, made from another one by changes to its files, if it is not in the store yet. */
const ensure = (store: ImageStore, name: string, from: string, change: (root: string, container: string) => void) => {
  const image = `localhost/headgate-${name}:${process.versions.node}`
  if (!store.has(image)) {
    const container = store.buildah("from", "--pull-never", from)
    change(store.buildah("mount", container), container)
    store.buildah("commit", "--quiet", "--rm", container, image)
  }
  return image
}

const addDebian = (root: string) => {
  execFileSync("debootstrap", ["--variant=minbase", "--include=ca-certificates", "bookworm", root], {
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "pipe"]
  })
  for (const folder of ["var/cache/apt/archives", "var/lib/apt/lists"]) {
    rmSync(join(root, folder), { recursive: true, force: true })
  }
}

const addNpm = (root: string) => {
  const npm = execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim()
  const folder = join(root, "usr/local/lib/node_modules/npm")
  mkdirSync(dirname(folder), { recursive: true })
  cpSync(dirname(dirname(realpathSync(npm))), folder, { recursive: true, verbatimSymlinks: true })
  for (const name of ["npm", "npx"]) {
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, "usr/local/bin", name))
  }
}

/**
 * An image with what the Dockerfile's own base has, without a registry of images: Debian by debootstrap, the Node that runs this,
 * and npm for stages that install packages. It takes half a minute of CPU time, so it is kept in the store.
 */
export const makeBase = (store: ImageStore, { withNpm }: { readonly withNpm: boolean }): string => {
  const base = ensure(store, "base", "scratch", (root) => {
    addDebian(root)
    copyFileSync(realpathSync(process.execPath), join(root, "usr/local/bin/node"))
  })
  if (!withNpm) return base
  return ensure(store, "base-npm", base, (root, container) => {
    addNpm(root)
    copyFileSync(certificates, join(root, certificates))
    store.buildah("config", "--env", `NODE_EXTRA_CA_CERTS=${certificates}`, container)
  })
}
