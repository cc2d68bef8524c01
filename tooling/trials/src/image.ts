// Builds the image of the Dockerfile with buildah, on a base made of Debian's packages, and runs it with runc as Docker would:
// read-only, without capabilities, as other users, stopped, killed, and started again on its volume; then with the settings of
// compose.yaml over a real Postgres. `--only whole` runs the stage that builds the package, too, and `--only chdb` is about the
// image with the engine: both take minutes, and fetch packages.
import { runTrial, type TrialOptions } from "@headgate/harness/Command"
import { Verdict } from "@headgate/harness/Verdict"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { buildImage, checkFiles } from "./image/buildImage.ts"
import { checkCompose } from "./image/compose.ts"
import { openImageStore } from "./image/ImageStore.ts"
import { checkEngine } from "./image/checkEngine.ts"
import { checkServer, type Image } from "./image/checkServer.ts"
import { checkUsers } from "./image/checkUsers.ts"
import { imageMissing } from "./image/imageMissing.ts"
import { makeBase } from "./image/makeBase.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))

const trial = async ({ only = "server" }: TrialOptions, directory: string) => {
  const verdict = new Verdict("image")
  const why = imageMissing()
  if (why !== undefined) {
    verdict.hold(process.env["HEADGATE_REQUIRE_IMAGE"] !== "1", why)
    return verdict.end(`1 skipped: ${why}`)
  }
  const images = join(root, "node_modules", ".cache", "image")
  mkdirSync(images, { recursive: true })
  const store = openImageStore(images, join(directory, "state"))
  const target = only === "chdb" ? "chdb" : "server"
  const base = makeBase(store, { withNpm: only !== "server" })
  const name = buildImage(store, { base, directory, root, target, isWhole: only === "whole" })
  // Before the folder of its state is removed.
  process.prependOnceListener("exit", () => store.remove(name))
  const rootfs = store.mount(name)
  const bytes = checkFiles(rootfs, store.mount(base), target, verdict)
  const image: Image = { config: store.configOf(name), directory, rootfs }
  if (target === "chdb") {
    await checkEngine(image, verdict)
    return verdict.end(`${(bytes / 1e6).toFixed(1)} MB over the base with the engine, ${verdict.count} faults`)
  }
  const { acknowledged, milliseconds } = await checkServer(image, verdict)
  const errors = await checkUsers(image, verdict)
  await checkCompose(image, join(root, "compose.yaml"), verdict)
  verdict.end(
    `${(bytes / 1e6).toFixed(1)} MB over the base, ended ${milliseconds} ms after SIGTERM, ${acknowledged} writes ` +
      `acknowledged, ${errors} errors on volumes of others, ${verdict.count} faults`
  )
}

await runTrial("image", { name: "rounds", byDefault: 1 }, trial)
