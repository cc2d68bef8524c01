import { execFileSync } from "node:child_process"

/** What an image says of how it is run, as Docker stores it. */
export interface ImageConfig {
  readonly User?: string
  readonly Env?: ReadonlyArray<string>
  readonly Entrypoint?: ReadonlyArray<string>
  readonly Cmd?: ReadonlyArray<string>
  readonly WorkingDir?: string
  readonly Volumes?: Readonly<Record<string, unknown>>
  readonly StopSignal?: string
  readonly Healthcheck?: { readonly Test: ReadonlyArray<string> }
}

/** A store of images in folders of its own. Nothing but root's right to mount is needed, and no daemon. */
export interface ImageStore {
  /** Runs buildah on the store, and returns what it prints. */
  readonly buildah: (...args: ReadonlyArray<string>) => string
  readonly has: (image: string) => boolean
  readonly configOf: (image: string) => ImageConfig
  /** The folder of a new container of the image. */
  readonly mount: (image: string) => string
  /** Removes all containers, and an image. */
  readonly remove: (image: string) => void
}

/** Opens a store, for one trial at a time. `images` is kept by the caller, `state` may be removed after {@link ImageStore.remove}. */
export const openImageStore = (images: string, state: string): ImageStore => {
  const buildah = (...args: ReadonlyArray<string>): string =>
    execFileSync("buildah", ["--root", images, "--runroot", state, "--storage-driver", "vfs", ...args], {
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      // Its progress; an error holds it.
      stdio: ["ignore", "pipe", "pipe"]
    }).trim()
  return {
    buildah,
    has: (image) => buildah("images", "--quiet", "--noheading", "--filter", `reference=${image}`) !== "",
    configOf: (image) => JSON.parse(buildah("inspect", "--type", "image", image)).Docker.config,
    mount: (image) => buildah("mount", buildah("from", "--pull-never", image)),
    remove: (image) => {
      buildah("rm", "--all")
      buildah("rmi", "--force", image)
      buildah("rmi", "--prune")
    }
  }
}
