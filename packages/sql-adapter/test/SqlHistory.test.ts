import { historyLaws } from "@headgate/mover/laws"
import { SqlAdapter } from "../src/index.ts"
import { makeIn } from "./support/histories.ts"
import { layerTemporary } from "./temporaryDatabase.ts"

historyLaws({ name: "SQLite in memory", make: makeIn(SqlAdapter.layerSqlite({ filename: ":memory:" })) })
historyLaws({ name: "SQLite file", make: makeIn(layerTemporary()), runs: 1 })
