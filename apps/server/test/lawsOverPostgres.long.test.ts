import { lawsOverHttp } from "./support/lawsOverHttp.ts"
import { overPostgres } from "./support/stores.ts"

overPostgres(lawsOverHttp)
