import { createInterface } from "node:readline"
import type { Container } from "./Container.ts"

/** Runs in the container, which has Node and no other client. Prints each dashboard that the server has acknowledged. */
const write = `
  const [{ token }] = JSON.parse(require("node:fs").readFileSync("/data/first-credentials.json", "utf8"))
  const headers = { authorization: "Bearer " + token, "content-type": "application/json" }
  const url = "http://127.0.0.1:7420/api/v2/dashboards"
  const create = async (number) => {
    const body = JSON.stringify({ name: "kept " + number, tiles: [] })
    const response = await fetch(url, { method: "POST", headers, body })
    if (!response.ok) throw new Error(response.status + " " + (await response.text()))
    console.log((await response.json()).data.id)
    await create(number + 1)
  }
  void create(1)`

const read = `
  const [{ token }] = JSON.parse(require("node:fs").readFileSync("/data/first-credentials.json", "utf8"))
  const headers = { authorization: "Bearer " + token }
  void fetch("http://127.0.0.1:7420/api/v2/dashboards", { headers })
    .then((response) => response.json())
    .then(({ data }) => data.forEach(({ id }) => console.log(id)))`

/** The ids of the dashboards that a server in a container has. */
export const readDashboards = async (container: Container): Promise<ReadonlySet<string>> => {
  const { code, stderr, stdout } = await container.execute("node", "-e", read)
  if (code !== 0) throw new Error(`the dashboards could not be read: ${stderr}`)
  return new Set(stdout.split("\n").filter((line) => line !== ""))
}

/** Creates dashboards until the server is gone, and acts after `count` of them. Returns all that were acknowledged. */
export const writeUntilGone = async (container: Container, count: number, act: () => void): Promise<Array<string>> => {
  const writer = container.start("node", "-e", write)
  const acknowledged: Array<string> = []
  let said = ""
  writer.stderr?.on("data", (chunk) => (said += String(chunk)))
  if (writer.stdout === null) throw new Error("the writer has no output")
  for await (const line of createInterface(writer.stdout)) {
    acknowledged.push(line)
    if (acknowledged.length === count) act()
  }
  if (acknowledged.length < count) throw new Error(`the writer ended after ${acknowledged.length} dashboards: ${said}`)
  return acknowledged
}
