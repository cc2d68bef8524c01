import { spawnSync } from "node:child_process"

const tools = ["buildah", "debootstrap", "runc"]

/** Why images cannot be built and run on this machine; `undefined` if they can. */
export const imageMissing = (): string | undefined => {
  const missing = tools.filter((tool) => spawnSync(tool, ["--version"]).error !== undefined)
  if (missing.length > 0) return `${missing.join(" and ")} not installed: apt-get install ${missing.join(" ")}`
  const namespaces = spawnSync("unshare", ["--mount", "--pid", "--net", "--fork", "true"])
  return process.getuid?.() === 0 && namespaces.status === 0 ? undefined : "this needs root, and namespaces of its own"
}
