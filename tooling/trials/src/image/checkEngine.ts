import type { Verdict } from "@headgate/harness/Verdict"
import { type Image, makeVolume, start, started, stop } from "./checkServer.ts"

const warehouse = ["--warehouse", "embedded:/data/warehouse"]

/** Starts the image with the embedded engine, which keeps its tables in the volume, and queries them when the server has ended. */
export const checkEngine = async (image: Image, verdict: Verdict): Promise<void> => {
  const volume = makeVolume(image, "engine")
  const command = [...(image.config.Cmd ?? []), ...warehouse, "--allow-source", "localhost"]
  await stop(await started(start(image, { volume, command })), "a server with the engine", verdict)
  const query = start(image, { volume, command: ["query", ...warehouse, "--json", "SELECT 40 + 2 AS sum"] })
  const { code, stderr, stdout } = await query.ended
  verdict.hold(code === 0 && /"sum": ?42/.test(stdout), `the engine answers ${code}: ${stdout}${stderr}`)
}
