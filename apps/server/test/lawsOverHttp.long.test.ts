import { lawsOverHttp } from "./support/lawsOverHttp.ts"
import { overLocalStores } from "./support/stores.ts"

// Those over Postgres are a file of their own, so that two cores share the work.
overLocalStores(lawsOverHttp)
