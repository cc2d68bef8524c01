// The ClickHouse engine for tests: the package "chdb", which has 540 MB and is no dependency of this project.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { env } from "node:process"
import { ClickHouseEngine } from "../../src/index.ts"
import { type Front, frontUser, type Session, startFront } from "./httpFront.ts"

const folder = env["HEADGATE_CHDB"]

/** Why there is no engine, and what to do; `undefined` if there is one. */
export const engineMissing = (): string | undefined =>
  folder !== undefined && existsSync(join(folder, "node_modules/chdb/package.json"))
    ? undefined
    : "HEADGATE_CHDB names no folder with the package chdb (npm install --prefix FOLDER chdb@3.4.0)"

const load = (module: string): unknown => createRequire(join(folder ?? "", "chdb.cjs"))(module)

interface SessionOptions {
  readonly connectionArgs?: ReadonlyArray<string>
}

const newSession = (path: string, options: SessionOptions = {}): Session => {
  // A test reads what a package without types gives.
  const { Session } = load("chdb") as { readonly Session: new (path: string, options: SessionOptions) => Session }
  return new Session(path, options)
}

// A process opens one folder, and the files of a worker share their modules.
let made: string | undefined
/** The folder of the engine in this process. */
export const directory = (): string => {
  if (made !== undefined) return made
  const created = mkdtempSync(join(tmpdir(), "headgate-chdb-"))
  process.on("exit", () => rmSync(created, { recursive: true, force: true }))
  // Stays open until the process ends: what opens the folder alone loads again all that the tests before it have left there.
  newSession(created)
  made = created
  return created
}

const options = { database: "default" }

/** Loads the connections of the engine. */
export const loadConnections = () => Promise.resolve(load("chdb/connection"))

/** The engine in this process, with its data in a folder. */
export const embeddedIn = (path: string) =>
  ClickHouseEngine.layerEmbedded({
    ...options,
    directory: path,
    load: loadConnections
  })

/** The same, in the folder of this process. */
export const embedded = Layer.suspend(() => embeddedIn(directory()))

const openSession = (path: string, options?: SessionOptions) =>
  Effect.acquireRelease(
    Effect.sync(() => newSession(path, options)),
    (session) => Effect.sync(() => session.close())
  )

interface EngineServer {
  /** A statement that is run before the first one. */
  readonly profile?: string
  /** Where the engine keeps its tables; a folder of this process by default. */
  readonly path?: string
  /** Any free one by default. */
  readonly port?: number
  /** The file of the engine's configuration, which may name its users. */
  readonly configuration?: string
}

/** The engine behind a server of HTTP. */
export const startServer = Effect.fnUntraced(function* ({ configuration, path, port, profile }: EngineServer = {}) {
  const connectionArgs = configuration === undefined ? [] : [`--config-file=${configuration}`]
  const session = yield* openSession(path ?? directory(), { connectionArgs })
  if (profile !== undefined) yield* Effect.promise(() => session.queryAsync(profile, { format: "TSV" }))
  return yield* startFront(session, port)
})

export const overHttp = ({ url }: Front, password = frontUser.password) =>
  ClickHouseEngine.layerServer({ ...options, url, user: frontUser.name, password: Redacted.make(password) })
