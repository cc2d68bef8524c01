import { lawsOfClickhouse, lawsOfNeutral, lawsThroughService } from "./support/lawsOverHttp.ts"
import { overPostgres, overSqlite, memory } from "./support/stores.ts"

// Every dialect meets two stores, and every store a dialect: the laws over each store without HTTP are those of its adapter.
lawsOfNeutral(memory)
lawsOfClickhouse(memory)
overSqlite(lawsOfClickhouse)
overSqlite(lawsThroughService)
overPostgres(lawsOfNeutral)
