import { assert, describe, it } from "vitest"
import { parse } from "yaml"
import { enveloped, service } from "./Service.ts"
import { everything, headgate, pipeId, serviceId } from "./headgate.ts"

const api = service()
const run = (...args: ReadonlyArray<string>) => headgate(args, { env: { ...everything(api.url), COLUMNS: "100" } })

const pipe = (last: number, more: object) => ({
  id: `${pipeId.slice(0, -1)}${last}`,
  serviceId,
  name: `pipe-${last}`,
  state: "Running",
  ...more
})
const pipes = [
  pipe(1, { createdAt: "2026-01-02T00:00:00.5Z", source: { kafka: { topics: "orders" } }, scaling: { replicas: 10 } }),
  pipe(2, {
    createdAt: "2026-01-02T00:00:00Z",
    state: "Failed",
    source: { kinesis: {} },
    scaling: { replicas: 9 },
    origin: { zone: "b" }
  }),
  pipe(3, { name: "no\u0085control", createdAt: null, settings: { db_max_threads: 4 }, region: "eu" })
]
const names = async (...args: ReadonlyArray<string>) => {
  api.respondWith(enveloped(pipes))
  const { exitCode, stderr, stdout } = await run("pipe", "list", ...args, "--json")
  assert.deepStrictEqual([exitCode, stderr], [0, ""])
  return (JSON.parse(stdout) as ReadonlyArray<{ readonly id: string }>).map(({ id }) => Number(id.at(-1)))
}

describe("--filter", () => {
  it.each<[string, ReadonlyArray<string>, ReadonlyArray<number>]>([
    ["a value", ["state=Running"], [1, 3]],
    ["all of several values", ["state=Running", "source.kafka.topics=orders"], [1]],
    ["a number", ["scaling.replicas=9"], [2]],
    ["no value, absent or null", ["createdAt="], [3]],
    ["a record that is there", ["source="], [3]],
    ["a setting of the dialect", ["settings.db_max_threads=4"], [3]],
    ["a field that only the service knows", ["region=eu"], [3]],
    ["a field in a field that only the service knows", ["origin.zone=b"], [2]]
  ])("keeps the elements with %s", async (_, filters, expected) => {
    assert.deepStrictEqual(await names(...filters.flatMap((filter) => ["--filter", filter])), expected)
  })

  it("matches any element of a list", async () => {
    api.respondWith({
      status: 200,
      body: {
        data: [
          { id: "a", name: "A", tags: ["x", "y"], tiles: [] },
          { id: "b", name: "B", tags: [], tiles: [{ id: "t", name: "Errors" }] }
        ]
      }
    })
    const tagged = await run("dashboard", "list", "--filter", "tags=y", "--fields", "id", "--json")
    assert.deepStrictEqual(JSON.parse(tagged.stdout), [{ id: "a" }])
    const tiled = await run("dashboard", "list", "--filter", "tiles.name=Errors", "--fields", "id,tiles.name", "--json")
    assert.deepStrictEqual(JSON.parse(tiled.stdout), [{ id: "b", tiles: [{ name: "Errors" }] }])
  })

  it("notes on stderr that nothing matches", async () => {
    api.respondWith(enveloped(pipes))
    const { exitCode, stderr, stdout } = await run("pipe", "list", "--filter", "state=Paused")
    assert.deepStrictEqual([exitCode, stdout, stderr], [0, "", "None of 3 matches.\n"])
  })
})

describe("a value of --filter that is near to a known one", () => {
  const others = pipes.filter(({ state }) => state !== "Failed")

  it.each([
    ["state=Runing", "--filter state: did you mean Running?"],
    ["state=failed", "--filter state: did you mean Failed?"],
    ["destination.tableDefinition.engine.type=MergeTre", "did you mean MergeTree?"]
  ])("is warned of on stderr: %s", async (filter, warning) => {
    api.respondWith(enveloped(others))
    const { exitCode, stderr, stdout } = await run("pipe", "list", "--filter", filter)
    assert.deepStrictEqual([exitCode, stdout], [0, ""])
    assert.include(stderr, `warning: `)
    assert.include(stderr, warning)
    assert.include(stderr, "None of 2 matches.")
  })

  it.each([
    ["a known value that nothing has", "state=Failed"],
    ["a value that is near to none", "state=Hibernating"],
    ["a value of a field without known values", "name=pipe-9"],
    ["no value", "state="]
  ])("not %s", async (_, filter) => {
    api.respondWith(enveloped(others))
    assert.strictEqual((await run("pipe", "list", "--filter", filter)).stderr, "None of 2 matches.\n")
  })

  it("not one that an element has", async () => {
    api.respondWith(enveloped([...others, pipe(4, { state: "Runing" })]))
    const { stderr, stdout } = await run("pipe", "list", "--filter", "state=Runing", "--fields", "name")
    assert.deepStrictEqual([stdout, stderr], ["name\npipe-4\n", ""])
  })
})

describe("--sort", () => {
  it.each<[string, ReadonlyArray<string>, ReadonlyArray<number>]>([
    ["by time, and those without it last", ["--sort", "createdAt"], [2, 1, 3]],
    ["the other way round, and those without it last", ["--sort", "-createdAt"], [1, 2, 3]],
    ["by number", ["--sort=scaling.replicas"], [2, 1, 3]],
    ["by a field that only the last has", ["--sort", "region"], [3, 1, 2]],
    ["by such a field the other way round", ["--sort", "-region"], [3, 1, 2]],
    ["by several fields", ["--sort", "-state,-name"], [1, 3, 2]],
    ["by a name with the letter of a flag in it", ["--sort", "-serviceId"], [1, 2, 3]]
  ])("sorts %s", async (_, args, expected) => {
    assert.deepStrictEqual(await names(...args), expected)
  })
})

describe("--fields", () => {
  const fields = ["pipe", "list", "--fields", "state,id,source.kafka"]

  it("selects the columns of the table", async () => {
    api.respondWith(enveloped(pipes))
    const { stdout } = await run(...fields)
    assert.deepStrictEqual(stdout.split("\n").slice(0, 3), [
      "state    id                                    source.kafka",
      `Running  ${pipes[0]?.id}  {"topics":"orders"}`,
      `Failed   ${pipes[1]?.id}`
    ])
  })

  it("masks secrets in the table alone", async () => {
    api.respondWith(enveloped([pipe(1, { source: { objectStorage: { connectionString: "s3cr3t" } } })]))
    const table = await run("pipe", "list", "--fields", "id,source.objectStorage.connectionString")
    assert.include(table.stdout, "<redacted>")
    assert.notInclude(table.stdout, "s3cr3t")
  })

  it("selects the same in JSON and in YAML", async () => {
    api.respondWith(enveloped(pipes))
    const expected = [
      { state: "Running", id: pipes[0]?.id, source: { kafka: { topics: "orders" } } },
      { state: "Failed", id: pipes[1]?.id, source: {} },
      { state: "Running", id: pipes[2]?.id }
    ]
    assert.deepStrictEqual(JSON.parse((await run(...fields, "--json")).stdout), expected)
    assert.deepStrictEqual(parse((await run(...fields, "--output", "yaml")).stdout), expected)
  })
})

describe("a list refuses", () => {
  it.each<[string, ReadonlyArray<string>, ReadonlyArray<string>]>([
    [
      "an unknown field",
      ["--filter", "stat=Running"],
      ['--filter: unknown field "stat". Did you mean state?', "serviceId"]
    ],
    ["an unknown field in a field", ["--sort", "source.kafk"], ["Did you mean source.kafka?", "kinesis"]],
    ["a field of a text", ["--fields", "id,state.x"], ["--fields: unknown field", "state has no fields"]],
    ["a filter without a value", ["--filter", "state"], ["Expected field=value"]],
    ["an empty field", ["--fields", "id,,name"], ["Expected a field such as name"]]
  ])("%s with 2", async (_, args, texts) => {
    api.respondWith(enveloped([]))
    const { exitCode, stderr, stdout } = await run("pipe", "list", ...args)
    assert.deepStrictEqual([exitCode, stdout], [2, ""])
    for (const text of texts) assert.include(stderr, text)
  })
})

describe("at 60 columns", () => {
  it("a list with long values fits: as a table, and where not even the ids fit, as records", async () => {
    const long = "long ".repeat(40)
    const name = { name: long, state: long, type: long, region: long, provider: long, tags: [long], description: long }
    for (const [noun, element] of [
      ["pipe", pipe(1, name)],
      ["key", { ...name, id: pipeId, roles: [], state: "enabled" }],
      ["role", { id: pipeId, ...name }],
      ["service", { id: serviceId, ...name }],
      ["organization", { id: serviceId, ...name }]
    ] as const) {
      api.respondWith(enveloped([element]))
      const { stdout } = await headgate([noun, "list"], { env: { ...everything(api.url), COLUMNS: "60" } })
      assert.include(stdout, element.id)
      for (const line of stdout.split("\n")) assert.isAtMost(line.length, 60)
    }
  })
})

describe("every list", () => {
  it.each(["organization", "service", "pipe", "private-endpoint", "key", "role", "dashboard", "connection", "source"])(
    "of a %s has the same flags",
    async (noun) => {
      const { stdout } = await run(noun, "list", "--help")
      for (const flag of ["--filter", "--sort", "--fields"]) assert.include(stdout, flag)
    }
  )
})

describe("--output yaml", () => {
  it("prints the document of the service, without a control character", async () => {
    api.respondWith(enveloped(pipes[2]))
    const { exitCode, stdout } = await run("pipe", "get", pipeId, "--output", "yaml")
    assert.strictEqual(exitCode, 0)
    assert.deepStrictEqual(parse(stdout), pipes[2])
    assert.notInclude(stdout, "\u0085")
  })

  it("prints plain texts without quotes, and what YAML 1.1 reads as a boolean with them", async () => {
    api.respondWith(enveloped({ ...pipes[0], name: "no" }))
    const { stdout } = await run("pipe", "get", pipeId, "--output", "yaml")
    assert.match(stdout, /^state: Running$/m)
    assert.match(stdout, /^name: "no"$/m)
  })

  it("prints what was done", async () => {
    api.respondWith({ status: 200, body: { status: 200, requestId: "r" } })
    const { stderr, stdout } = await run("pipe", "delete", pipeId, "--yes", "--output", "yaml")
    assert.deepStrictEqual([stdout, stderr], [`id: ${pipeId}\ndeleted: true\n`, ""])
  })
})
