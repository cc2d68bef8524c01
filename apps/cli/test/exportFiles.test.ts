import { dialects } from "@headgate/http-contract"
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Ajv } from "ajv"
import { assert, describe, it } from "vitest"
import { parse } from "yaml"
import { inSchemaOrder, jsonSchemaOf } from "../src/files/jsonSchemas.ts"
import { enveloped, service } from "./Service.ts"
import { everything, headgate, pipeId } from "./headgate.ts"
import { filesOnServer } from "./filesOnServer.ts"
import { dashboard, kafkaPipe, key } from "./resourceDirectory.ts"
import { connectionString, wholePipe } from "./wholePipe.ts"

const api = service()
const { files, server } = filesOnServer()

const env = () => ({ ...server().env, ORDERS_PASSWORD: "s3cr3t" })
const run = async (...args: ReadonlyArray<string>) => {
  const result = await headgate(args, { env: env() })
  assert.strictEqual(result.exitCode, 0, result.stderr)
  return result
}
const applyAll = async () => {
  files.write("my-orders.pipe.yaml", `${kafkaPipe}stopped: true\n`)
  files.write("ci.key.yaml", key)
  files.write("errors.dashboard.json", dashboard)
  await run("apply", "-f", files.directory, "--yes", "--secrets-dir", files.secrets)
}

describe("headgate export", () => {
  it("writes files that describe what is there: a diff finds nothing", async () => {
    await applyAll()
    const other = join(files.directory, "other")
    await run("export", "--dir", other)
    assert.include((await run("diff", "-f", other)).stdout, "4 unchanged")
    const again = await run("export", "--dir", other)
    assert.include(again.stderr, "0 of 4 files were written")
  })

  it("has no ids, secrets and states, and a stable order of fields", async () => {
    await applyAll()
    const other = join(files.directory, "other")
    await run("export", "--dir", other)
    assert.strictEqual(
      files.read("other/orders.pipe.yaml").split("\n").slice(0, 4).join("\n"),
      "name: orders\nstopped: true\nsource:\n  kafka:"
    )
    assert.strictEqual(
      files.read("other/ci.key.yaml"),
      [
        "name: ci",
        "state: enabled",
        "roles:",
        "  - developer",
        "ipAccessList:",
        "  - source: 203.0.113.0/24",
        "    description: office",
        ""
      ].join("\n")
    )
    const { tiles } = parse(files.read("other/errors.dashboard.yaml"))
    assert.deepStrictEqual(tiles, JSON.parse(dashboard).tiles)
  })

  it("leaves the secrets of a pipe out, those that the service answers, too", async () => {
    const { costs: _, ...pipe } = wholePipe("db_")
    api.respondWith(({ path }) => enveloped(path.endsWith("/dbpipes") ? [pipe] : []))
    await headgate(["export", "--dir", files.directory, "--kind", "pipe", "--format", "json"], {
      env: everything(api.url)
    })
    const text = files.read("orders.pipe.json")
    for (const secret of [connectionString, "s3cr3t", pipeId, "Hibernating", "createdAt"])
      assert.notInclude(text, secret)
    assert.strictEqual(JSON.parse(text).source.objectStorage.url, "https://bucket/{a,b}/*.json")
  })

  it("keeps comments, references and the order of a file that exists", async () => {
    await applyAll()
    files.edit("my-orders.pipe.yaml", "topics: orders", "topics: refunds # both")
    files.edit("my-orders.pipe.yaml", "stopped: true\n", "stopped: false\n")
    await run("apply", "-f", files.directory, "--yes")
    files.edit("my-orders.pipe.yaml", "topics: refunds", "topics: invoices")
    await run("export", "--dir", files.directory, "--overwrite")
    const text = files.read("my-orders.pipe.yaml")
    for (const kept of [
      "# The orders of the shop.\nname: orders\n",
      "topics: refunds # both\n",
      "brokers: broker.example.com:9092 # the only one\n",
      "password: ${env:ORDERS_PASSWORD}\n",
      "- { name: id, type: UInt64 }\n",
      "stopped: false\n"
    ]) {
      assert.include(text, kept)
    }
    assert.isFalse(files.names().includes("orders.pipe.yaml"))
    assert.include((await run("diff", "-f", files.directory)).stdout, "4 unchanged")
  })

  it("keeps comments with the element of a list that they are about", async () => {
    const tile = (name: string, h: number, y: number, more = "") =>
      `  - name: ${name}${more}\n    x: 0\n    y: ${y}\n    w: 24\n    h: ${h}\n`
    files.write(
      "a.dashboard.yaml",
      `name: A\ntiles:\n${tile("a", 1, 0, " # of a")}  # Before b.\n${tile("b", 1, 1)}${tile("c", 1, 2, " # of c")}`
    )
    await run("apply", "-f", files.directory, "--yes")
    const [{ id, ...dashboard }] = JSON.parse((await run("dashboard", "list", "--json")).stdout)
    const [a, b] = dashboard.tiles
    const added = { name: "d", x: 0, y: 3, w: 24, h: 1 }
    files.write("x.json", JSON.stringify({ ...dashboard, tiles: [added, { ...b, h: 4 }, a] }))
    await run("dashboard", "update", id, "--file", join(files.directory, "x.json"))
    files.remove("x.json")
    await run("export", "--dir", files.directory, "--kind", "dashboard")
    assert.strictEqual(
      files.read("a.dashboard.yaml"),
      `name: A\ntiles:\n${tile("d", 1, 3)}  # Before b.\n${tile("b", 4, 1)}${tile("a", 1, 0, " # of a")}tags: []\n`
    )
    assert.strictEqual((await run("diff", "-f", files.directory)).exitCode, 0)
  })

  it("writes a file with aliases anew where they no longer agree", async () => {
    files.write("a.dashboard.yaml", "name: A\ntags: &tags [a]\ntiles: []\n")
    await run("apply", "-f", files.directory, "--yes")
    files.write("a.dashboard.yaml", "name: A\ntags: &tags [b]\nx: *tags\ntiles: []\n")
    await run("export", "--dir", files.directory, "--kind", "dashboard", "--overwrite")
    assert.deepStrictEqual(parse(files.read("a.dashboard.yaml")), { name: "A", tags: ["a"], tiles: [] })
    files.write("a.dashboard.yaml", "name: A\ntags: [&a b]\ntiles: [{ name: *a, x: 0, y: 0, w: 1, h: 1 }]\n")
    await run("export", "--dir", files.directory, "--kind", "dashboard", "--overwrite")
    assert.deepStrictEqual(parse(files.read("a.dashboard.yaml")), { name: "A", tags: ["a"], tiles: [] })
  })

  it("names each file that it writes, and keeps one that was changed here", async () => {
    await applyAll()
    const service = ["--dir", files.directory, "--kind", "dashboard"]
    const change = async (name: string, tag: string) => {
      files.write("x.json", JSON.stringify({ name, tags: [tag], tiles: [] }))
      const id = JSON.parse((await run("dashboard", "list", "--json")).stdout)[0].id
      await run("dashboard", "update", id, "--file", join(files.directory, "x.json"))
      files.remove("x.json")
    }
    // What was applied here and changed there since is written, but not by a dry run.
    await change("Errors", "there")
    const before = files.read("errors.dashboard.json")
    const dry = await run("export", ...service, "--dry-run")
    assert.include(dry.stderr, "would write errors.dashboard.json\n1 of 1 files would be written")
    assert.strictEqual(files.read("errors.dashboard.json"), before)
    assert.include((await run("export", ...service)).stderr, "wrote errors.dashboard.json\n")
    assert.include(files.read("errors.dashboard.json"), "there")

    files.edit("errors.dashboard.json", "there", "here")
    const changed = files.read("errors.dashboard.json")
    for (const tag of ["there", "there again"]) {
      await change("Errors", tag)
      const kept = await run("export", ...service)
      assert.include(kept.stderr, "kept errors.dashboard.json: it was changed here")
      assert.include(kept.stderr, "0 of 1 files were written")
      assert.strictEqual(files.read("errors.dashboard.json"), changed)
    }
    const json = await run("export", ...service, "--json")
    assert.deepInclude(JSON.parse(json.stdout), { written: [], kept: ["errors.dashboard.json"], unchanged: 0 })
    await run("export", ...service, "--overwrite")
    assert.include(files.read("errors.dashboard.json"), "there again")

    // A file that no lock tells about may hold work that is nowhere else.
    files.remove("headgate.lock.json")
    await change("Errors", "last")
    assert.include((await run("export", ...service)).stderr, "kept errors.dashboard.json")
  })

  it("keeps a file that is written while the service answers", async () => {
    const [old, added] = ["errors.dashboard.yaml", "last.dashboard.yaml"]
    const listOf = (...names: ReadonlyArray<string>) => ({
      status: 200,
      body: { data: names.map((name, at) => ({ id: `65f5e4a3b9e77c001a56789${at}`, name, tags: [], tiles: [] })) }
    })
    const command = ["export", "--dir", files.directory, "--kind", "dashboard"]
    api.respondWith(listOf("Errors"))
    await headgate(command, { env: everything(api.url) })
    const mine = "name: Mine\ntags: [here]\ntiles: []\n"
    api.respondWith(() => {
      for (const file of [old, added]) files.write(file!, mine)
      return listOf("Renamed", "Last")
    })
    const { exitCode, stderr } = await headgate(command, { env: everything(api.url) })
    assert.strictEqual(exitCode, 0, stderr)
    for (const file of [old, added]) {
      assert.include(stderr, `kept ${file}: it was changed here`)
      assert.strictEqual(files.read(file!), mine)
    }
    assert.notInclude(files.read("headgate.lock.json"), added!)
  })

  it("makes no directory with --dry-run", async () => {
    await applyAll()
    const { stderr } = await run("export", "--dir", join(files.directory, "new"), "--dry-run")
    for (const file of ["orders.pipe.yaml", "ci.key.yaml"]) assert.include(stderr, `would write ${file}\n`)
    assert.notInclude(files.names(), "new")
  })

  it("gives resources with one name a file each, and remembers which is which", async () => {
    for (const tag of ["a", "b"]) {
      files.write("x.json", JSON.stringify({ name: "Größe / 1", tags: [tag] }))
      await run("dashboard", "create", "--file", join(files.directory, "x.json"))
    }
    files.remove("x.json")
    await run("export", "--dir", files.directory, "--kind", "dashboard")
    assert.deepStrictEqual(files.names(), ["gro-e-1-2.dashboard.yaml", "gro-e-1.dashboard.yaml", "headgate.lock.json"])
    assert.include((await run("diff", "-f", files.directory)).stdout, "2 unchanged")
    files.remove("headgate.lock.json")
    const { exitCode, stderr } = await headgate(["diff", "-f", files.directory], { env: env() })
    assert.strictEqual(exitCode, 2)
    assert.include(stderr, "gro-e-1-2.dashboard.yaml and gro-e-1.dashboard.yaml have the name")
  })
})

describe("a directory", () => {
  const diff = async () => {
    const { exitCode, stderr } = await headgate(["diff", "-f", files.directory], { env: env() })
    assert.strictEqual(exitCode, 2)
    return stderr
  }

  it.each<[string, string, string]>([
    ["orders.yaml", kafkaPipe, "its name must end in .dashboard.yaml, .pipe.yaml, .key.yaml (or .json)"],
    ["a.pipe.yaml", "name: [", "this is not YAML"],
    ["a.pipe.yaml", "name: a\nname: b\n", "this is not YAML: Map keys must be unique"],
    ["a.pipe.yaml", "--- 1\n--- 2\n", "this is not YAML: it holds several documents, and one is expected at line 2"],
    ["a.key.json", "{", "this is not JSON"],
    ["a.key.yaml", "- a\n", "Expected an object"],
    ["a.key.yaml", "roles: [admin]\n", "name: Missing: it is required"],
    ["a.key.yaml", "name: a\nipAcessList: []\n", "ipAcessList: Unknown field: did you mean ipAccessList?"],
    ["a.pipe.yaml", "name: a\nsource: {}\nstopped: 1\n", "stopped: Expected true or false"],
    ["a.pipe.yaml", "name: a\nsource: {}\nstartPaused: true\n", "startPaused: Expected none: write stopped: true"],
    ["a.dashboard.yaml", `name: ${"a".repeat(1024 * 1024)}\n`, "it is larger than 1048576 bytes"],
    ["a.dashboard.json", `{"name":"a","x":${"[".repeat(101)}${"]".repeat(101)}}`, "nested deeper than 100 levels"],
    ["a.dashboard.yaml", `name: a\nx: ${"[".repeat(200_000)}`, "this is not YAML"],
    [
      "a.dashboard.yaml",
      `a: &a [x]\n${Array.from("bcdefgh", (name, index) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${"abcdefg"[index]}`).join(", ")}]`).join("\n")}\n`,
      "this is not YAML"
    ]
  ])("with a wrong file is an error that names it: %s %.20s", async (file, text, words) => {
    files.write(file, text)
    const stderr = await diff()
    assert.include(stderr, file)
    assert.include(stderr, words)
  })

  it("names every wrong file", async () => {
    files.write("c.key.yaml", "x: 1\n")
    files.write("d.key.yaml", "x: 1\n")
    const stderr = await diff()
    for (const words of ["c.key.yaml: ", "d.key.yaml: "]) assert.include(stderr, words)
  })

  it("may hold other files, and schemas", async () => {
    files.write("README.md", "")
    files.write("pipe.schema.json", "{}")
    files.write(".hidden.yaml", "")
    mkdirSync(join(files.directory, "more"))
    assert.include((await run("diff", "-f", files.directory)).stdout, "0 unchanged")
  })

  it("that is not there, or whose lock file is broken, is an error", async () => {
    files.write("headgate.lock.json", '{"version":2}')
    assert.include(await diff(), "this is not a lock file of this version of headgate")
    files.clear({ again: false })
    assert.include(await diff(), "there is no such file")
  })
})

describe("a plan", () => {
  const stored = { id: pipeId, name: "ci", roles: ["developer"], state: "enabled" }

  it("is sent with the versions that it was made from, and stops if they are others", async () => {
    files.write("ci.key.yaml", "name: ci\nstate: disabled\n")
    api.respondWith(({ method, path }) => {
      if (method === "PATCH") return { status: 412, body: { status: 412, error: "PRECONDITION_FAILED: 8, not 7" } }
      const reply = {
        status: 200,
        body: { status: 200, requestId: "r", result: path.endsWith("keys") ? [stored] : stored }
      }
      return path.endsWith("keys") ? reply : { ...reply, headers: { etag: '"7"' } }
    })
    const args = ["apply", "-f", files.directory, "--yes"]
    const { exitCode, stderr } = await headgate(args, { env: everything(api.url) })
    assert.strictEqual(exitCode, 1)
    assert.include(stderr, 'The plan is stale: key "ci" has changed since it was read')
    assert.include(stderr, "0 of 1 changes were made")
    assert.strictEqual(api.received.find(({ method }) => method === "PATCH")?.headers["if-match"], '"7"')
  })

  it("is made from the lists; only what changes is read again, for its version", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `key${index}`)
    for (const name of names) files.write(`${name}.key.yaml`, `name: ${name}\nroles: [developer]\n`)
    files.edit("key7.key.yaml", "developer", "admin")
    const keys = names.map((name, index) => ({ ...stored, name, id: pipeId.replace(/^../, String(10 + index)) }))
    api.respondWith(({ path }) => enveloped(path.endsWith("keys") ? keys : keys.find(({ id }) => path.endsWith(id))))
    const args = ["-f", files.directory]
    const diffed = await headgate(["diff", ...args], { env: everything(api.url) })
    assert.strictEqual(diffed.exitCode, 3, diffed.stderr)
    assert.lengthOf(api.received, 1)
    const applied = await headgate(["apply", ...args, "--yes"], { env: everything(api.url) })
    assert.strictEqual(applied.exitCode, 0, applied.stderr)
    assert.deepStrictEqual(
      api.received.map(({ method, path }) => `${method} ${path.split("/").at(-1)}`),
      ["GET keys", "GET keys", `GET ${keys[7]?.id}`, `PATCH ${keys[7]?.id}`]
    )
  })

  it("is sent without a condition to a service that tells no versions", async () => {
    files.write("ci.key.yaml", "name: ci\nstate: disabled\n")
    api.respondWith(({ method, path }) => enveloped(method === "PATCH" || !path.endsWith("keys") ? stored : [stored]))
    const args = ["apply", "-f", files.directory, "--yes"]
    const { exitCode, stderr } = await headgate(args, { env: everything(api.url) })
    assert.strictEqual(exitCode, 0, stderr)
    const { body, headers } = api.received.find(({ method }) => method === "PATCH") ?? { body: "{}", headers: {} }
    assert.deepStrictEqual([JSON.parse(body), headers["if-match"]], [{ state: "disabled" }, undefined])
  })

  it("needs a list that can be read as a whole: what it leaves out would be created again", async () => {
    files.write("ci.key.yaml", "name: ci\n")
    api.respondWith(enveloped([{ ...stored, roles: ["root"] }]))
    const { exitCode, stderr } = await headgate(["apply", "-f", files.directory, "--yes"], {
      env: everything(api.url)
    })
    assert.strictEqual(exitCode, 1, stderr)
    assert.deepStrictEqual(
      api.received.map(({ method }) => method),
      ["GET"]
    )
  })

  it("asks at a terminal only: a script passes --yes", async () => {
    files.write("errors.dashboard.json", dashboard)
    const { exitCode, stderr } = await headgate(["apply", "-f", files.directory], { env: env() })
    assert.strictEqual(exitCode, 2)
    assert.include(stderr, "pass --yes to confirm")
    assert.deepStrictEqual(JSON.parse((await run("dashboard", "list", "--json")).stdout), [])
  })
})

describe("the order of fields", () => {
  it("is that of the display type of a chart, then of the name", () => {
    const tile = (config: object) => ({ tiles: [{ config, name: "a" }] })
    const ordered = (config: object) =>
      JSON.stringify(inSchemaOrder(tile(config), jsonSchemaOf("dashboard", dialects.clickhouse)))
    assert.strictEqual(
      ordered({ zone: 1, where: "", area: 2, select: "Body", sourceId: "s", displayType: "search" }),
      JSON.stringify({
        tiles: [
          {
            name: "a",
            config: { displayType: "search", sourceId: "s", select: "Body", where: "", area: 2, zone: 1 }
          }
        ]
      })
    )
    assert.strictEqual(
      ordered({
        sqlTemplate: "",
        onClick: { urlTemplate: "u", type: "external" },
        configType: "sql",
        displayType: "table"
      }),
      JSON.stringify({
        tiles: [
          {
            name: "a",
            config: {
              displayType: "table",
              configType: "sql",
              sqlTemplate: "",
              onClick: { type: "external", urlTemplate: "u" }
            }
          }
        ]
      })
    )
  })
})

describe("headgate schema", () => {
  const schemaOf = async (kind: string, ...args: ReadonlyArray<string>) =>
    JSON.parse((await headgate(["schema", kind, ...args])).stdout)

  it("prints the JSON Schema of the files of a kind, without a service", async () => {
    const pipe = await schemaOf("pipe")
    assert.deepStrictEqual(pipe.required, ["name", "source"])
    assert.containsAllKeys(pipe.properties, ["name", "stopped", "source", "destination"])
    assert.doesNotHaveAnyKeys(pipe.properties, ["startPaused", "state"])
    assert.property(pipe.definitions.SettingsUpdate.properties, "db_max_threads")
    assert.deepStrictEqual((await schemaOf("dashboard")).required, ["name"])
    const keys = await schemaOf("key")
    assert.deepStrictEqual([keys.required, keys.additionalProperties], [["name"], false])
  })

  it("accepts the dashboards of the dialect, and tells what is wrong with others", async () => {
    const read = (name: string) => JSON.parse(readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8"))
    const validate = new Ajv({ strict: false, allErrors: true }).compile(
      await schemaOf("dashboard", "--dialect", "clickhouse")
    )
    const document = read("everyChart.dashboard.json")
    assert.isTrue(validate(document), JSON.stringify(validate.errors))
    for (const [index, { config }] of document.tiles.entries()) {
      const wrong = {
        ...document,
        tiles: document.tiles.with(index, { ...document.tiles[index], config: { ...config, displayType: "gauge" } })
      }
      assert.isFalse(validate(wrong), config.displayType)
      const wrongPaths = (validate.errors ?? []).map(({ instancePath }) => instancePath)
      assert.include(wrongPaths, `/tiles/${index}/config/displayType`)
    }
  })

  it("has the names of the dialect", async () => {
    const { definitions } = await schemaOf("pipe", "--dialect", "clickhouse")
    assert.property(definitions.SettingsUpdate.properties, "clickhouse_max_threads")
  })
})
