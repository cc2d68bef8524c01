// Reads objects of a storage that leads elsewhere, in every way that is known, and prints how many requests the forbidden address got.
// It runs in a network namespace of its own, in which that address is loopback, or beside everything else with another one.
import { redirectTo, startStorageDouble, type StorageFault, type StorageRequest } from "@headgate/harness/StorageDouble"
import { type ObjectReference, SourceError } from "@headgate/mover"
import { ClickHouse, describeObject } from "@headgate/mover-clickhouse"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { argv, stdout } from "node:process"
import { openPipe } from "../../../mover-clickhouse/test/support/databases.ts"
import { embedded, overHttp, startServer } from "../../../mover-clickhouse/test/support/engine.ts"
import { ObjectStorage } from "../../src/index.ts"
import { encodeKey } from "../../src/key/Bucket.ts"
import { pipeId } from "../support/ledger.ts"

/** What is broken on purpose, so that the forbidden address is asked. */
type Broken = "nothing" | "redirects" | "retries" | "names"
const [broken = "nothing", forbidden = "127.0.0.2"] = argv.slice(2) as [Broken?, string?]

const key = { accessKeyId: "the-id-of-the-key", secretKey: "the-5ecret" }
const range = { pipeId, generation: 1, source: "s", partition: "objects", from: "", to: "a" }
const formats = { json: "JSONEachRow", csv: "CSV", parquet: "Parquet" } as const
type Ending = keyof typeof formats

const print = (result: object) =>
  new Promise<void>((resume) => void stdout.write(`${JSON.stringify(result)}\n`, () => resume()))

/** The engine would end its statement first, which may have no end. */
const end = () => process.kill(process.pid, "SIGKILL")

/** A storage that gives the same rows, at the address that nobody may ask. The first request ends a broken run: there are thousands. */
const startForbidden = Effect.fnUntraced(function* (address: string, port = 0) {
  const double = yield* startStorageDouble({ address, port })
  double.failBy(() => {
    if (broken !== "nothing") void print({ forbidden: double.requests.length }).then(end)
    return { status: 200, headers: { etag: '"x"' }, body: '{"n":666}\n' }
  })
  return double
})

/** Which request of an object leads elsewhere, and what the others get. */
interface Cell {
  readonly at: "HEAD" | 1 | 2 | 4
  readonly beside: "whole" | "503" | "cut"
}

/** Decides about the requests of one statement. */
const decider = ({ at, beside }: Cell, redirect: (path: string) => StorageFault) => {
  let gets = 0
  return (request: StorageRequest): StorageFault | undefined => {
    if (request.query.has("list-type")) return undefined
    if (request.method === "HEAD") return at === "HEAD" ? redirect(request.path) : undefined
    gets += 1
    if (gets === at) return redirect(request.path)
    if (beside === "503") return { status: 503, body: "<Error><Code>SlowDown</Code></Error>" }
    return beside === "cut" ? { cutAfter: 1000 } : undefined
  }
}

/** An engine whose statements have these settings besides. */
const withSettings = (engine: ClickHouse["Service"], more: string): ClickHouse["Service"] => ({
  ...engine,
  run: (sql, parameters, options) => {
    const retries = broken === "redirects" ? "4" : "1"
    const changed = sql.replace("s3_max_single_read_retries = 1", `s3_max_single_read_retries = ${retries}`)
    return engine.run(
      changed.replace(/SETTINGS async_insert = 0/u, `SETTINGS ${more}async_insert = 0`),
      parameters,
      options
    )
  }
})

const parallel = "max_download_threads = 8, max_download_buffer_size = 1048576, "

/** The object as the engine read it before: by its own client of S3, or by its name. */
const brokenReference = (object: ObjectReference, url: string): ObjectReference => {
  if (broken === "nothing") return object
  if (broken === "names") {
    const address = Effect.map(object.address, (at) =>
      at._tag === "Url" ? { ...at, headers: {}, url: Redacted.make(url) } : at
    )
    return { ...object, address }
  }
  return { ...object, address: Effect.succeed({ _tag: "S3", url, accessKey: Redacted.make(key) }) }
}

const run = Effect.gen(function* () {
  const evil = yield* startForbidden(forbidden)
  // Where the name localhost leads for the engine, and not for the mover.
  const storage = yield* startStorageDouble({ address: "127.0.0.3" })
  const signed = yield* startStorageDouble({ address: "127.0.0.3", key })
  // The client of S3 goes on at the port that it had.
  const others = yield* Effect.forEach([storage, signed], ({ port }) =>
    Effect.all([startForbidden("127.0.0.1", port), startForbidden(forbidden, port)])
  )
  const home = Context.get(yield* Layer.build(embedded), ClickHouse)
  let cells = 0
  let read = 0

  const write = Effect.fnUntraced(function* (rows: number) {
    for (const [ending, format] of Object.entries(formats)) {
      for (const double of [storage, signed]) {
        const settings = "SETTINGS output_format_parquet_row_group_size = 5000, engine_url_skip_empty_files = 0"
        yield* home.run(
          `INSERT INTO FUNCTION url('${double.url}/bucket/a.${ending}', '${format}', 'n UInt64, text String') ${settings}
          SELECT number, hex(cityHash64(number)) || hex(sipHash64(number)) FROM numbers(${rows})`
        )
      }
    }
  })

  const evilHost = `${forbidden}:${evil.port}`
  const elsewhere = () => redirectTo(forbidden, 301, "PermanentRedirect")
  const answers: ReadonlyArray<(path: string) => StorageFault> = [
    (path) => redirectTo(evilHost, 301, "Location", path),
    elsewhere,
    (path) => redirectTo(evilHost, 307, "Location", path),
    () => redirectTo(forbidden, 307, "PermanentRedirect"),
    (path) => redirectTo(evilHost, 302, "Location", path),
    (path) => redirectTo(evilHost, 303, "Location", path),
    (path) => redirectTo(evilHost, 308, "Location", path),
    () => redirectTo(forbidden, 308, "PermanentRedirect"),
    () => redirectTo(forbidden, 400, "AuthorizationHeaderMalformed")
  ]

  const pipeOver = Effect.fnUntraced(function* (engine: ClickHouse["Service"]) {
    const columns = [
      { name: "n", type: "UInt64" },
      { name: "text", type: "String" }
    ]
    const { warehouse } = yield* openPipe(engine, { columns, tableDefinition: { sortingKey: ["n"] } })
    yield* warehouse.open(pipeId, 1000)
    const owner = { pipeId, epoch: 1, id: "owner" }
    return (object: ObjectReference, what: "rows" | "fields") =>
      (what === "rows"
        ? Effect.flatMap(warehouse.stage(owner, range, [object]), ({ staging }) => warehouse.discard(staging))
        : Effect.asVoid(Effect.provideService(describeObject(object), ClickHouse, engine))
      ).pipe(Effect.timeout(Duration.seconds(60)), Effect.exit)
  })

  /** Reads an object while its storage does this, and once more afterwards. */
  const attack = Effect.fnUntraced(function* (
    reads: Effect.Success<ReturnType<typeof pipeOver>>,
    ending: Ending,
    hasKey: boolean,
    what: "rows" | "fields",
    decide: (request: StorageRequest) => StorageFault | undefined,
    hostname = "127.0.0.3"
  ) {
    const double = hasKey ? signed : storage
    const url = `http://${hostname}:${double.port}/bucket/${encodeKey(`a.${ending}`)}`
    const { first } = yield* ObjectStorage.make({
      url,
      format: formats[ending],
      compression: "none",
      isContinuous: false,
      ...(hasKey ? { accessKey: Redacted.make(key) } : {}),
      resolve: () => Effect.succeed("127.0.0.3")
    })
    const object = yield* first
    if (object === undefined) return yield* new SourceError({ message: "there is no object" })
    cells += 1
    double.failBy(decide)
    yield* reads(brokenReference(object, url), what)
    double.failBy(() => undefined)
    const after = yield* reads(brokenReference(object, url), what)
    if (after._tag === "Success") read += 1
  })

  /** Each way to lead elsewhere, at each of these requests. A signed object is read without HEAD, by one request that is resumed. */
  const matrix = Effect.fnUntraced(function* (
    engine: ClickHouse["Service"],
    endings: ReadonlyArray<Ending>,
    places: ReadonlyArray<Cell>,
    ways: typeof answers
  ) {
    const reads = yield* pipeOver(engine)
    for (const ending of endings) {
      for (const hasKey of [true, false]) {
        const made = places.filter(({ at }) => !hasKey || at === 1 || at === 2)
        for (const redirect of ways) {
          for (const cell of made) yield* attack(reads, ending, hasKey, "rows", decider(cell, redirect))
        }
      }
    }
  })

  /** The same for the fields of an object, and for a name that leads elsewhere. */
  const looks = Effect.fnUntraced(function* (engine: ClickHouse["Service"], ending: Ending, ways: typeof answers) {
    const reads = yield* pipeOver(engine)
    for (const hasKey of [true, false]) {
      for (const redirect of ways) {
        yield* attack(reads, ending, hasKey, "fields", decider({ at: hasKey ? 1 : "HEAD", beside: "whole" }, redirect))
      }
      for (const what of ["rows", "fields"] as const) {
        yield* attack(reads, ending, hasKey, what, () => undefined, "localhost")
      }
    }
  })

  const some = answers.slice(0, 2)
  if (broken === "nothing") {
    yield* write(200)
    const alone: ReadonlyArray<Cell> = [
      { at: "HEAD", beside: "whole" },
      { at: 1, beside: "whole" }
    ]
    // Formats differ in what is asked for, and not in what an answer does: texts are read from one end to the other, Parquet in parts.
    yield* matrix(home, ["json"], alone, answers)
    yield* looks(home, "json", answers)
    yield* matrix(home, ["csv", "parquet"], alone, some)
    yield* looks(home, "parquet", some)
    const ranges = ([1, 2, 4] as const).flatMap((at): ReadonlyArray<Cell> => [
      { at, beside: "cut" },
      { at, beside: "503" }
    ])
    const whole: ReadonlyArray<Cell> = [
      { at: 2, beside: "whole" },
      { at: 4, beside: "whole" }
    ]
    const overFront = Context.get(yield* Layer.build(overHttp(yield* startServer())), ClickHouse)
    yield* matrix(overFront, ["parquet"], alone, some)
    yield* looks(overFront, "json", some)
    // More than one range.
    yield* write(20_000)
    yield* matrix(withSettings(home, parallel), ["json", "parquet"], [...ranges, ...whole], some)
  } else if (broken === "names") {
    yield* write(10)
    yield* attack(yield* pipeOver(home), "json", true, "rows", () => undefined, "localhost")
  } else if (broken === "redirects") {
    yield* write(10)
    yield* attack(
      yield* pipeOver(withSettings(home, "")),
      "csv",
      true,
      "rows",
      decider({ at: 1, beside: "whole" }, elsewhere)
    )
  } else {
    // Parallel ranges, of which one leads elsewhere and the others are refused.
    yield* write(200_000)
    const reads = yield* pipeOver(withSettings(home, parallel))
    for (const at of [1, 2, 4] as const) {
      yield* attack(reads, "csv", true, "rows", decider({ at, beside: "503" }, elsewhere))
    }
  }
  yield* Effect.promise(() =>
    print({ forbidden: [evil, ...others.flat()].reduce((sum, { requests }) => sum + requests.length, 0), cells, read })
  )
})

await Effect.runPromise(Effect.scoped(run))
end()
