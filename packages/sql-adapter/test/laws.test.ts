import { adapterLaws } from "./support/adapterLaws.ts"
import { layerCopied } from "./temporaryDatabase.ts"

adapterLaws("SQLite", layerCopied())
