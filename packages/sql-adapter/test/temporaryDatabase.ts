import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Path from "effect/Path"
import { type NodeSqliteOptions, SqlAdapter } from "../src/index.ts"

/** The path of a database that does not exist yet, in a folder that is removed when the scope closes. */
export const temporaryFilename = Effect.gen(function* () {
  const fileSystem = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  return path.join(yield* fileSystem.makeTempDirectoryScoped({ prefix: "headgate-sql-" }), "data", "headgate.db")
}).pipe(Effect.provide(NodeServices.layer))

/** The adapter over a new database file, which is removed when the scope closes. */
export const layerTemporary = (options?: Omit<NodeSqliteOptions, "filename">) =>
  Layer.unwrap(Effect.map(temporaryFilename, (filename) => SqlAdapter.layerSqlite({ ...options, filename })))
