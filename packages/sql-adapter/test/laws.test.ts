import { sqlLaws } from "./support/sqlLaws.ts"
import { layerCopied } from "./temporaryDatabase.ts"

sqlLaws("SQLite", layerCopied())
