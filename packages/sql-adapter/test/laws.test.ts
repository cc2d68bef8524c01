import { adapterLaws } from "./support/adapterLaws.ts"
import { layerTemporary } from "./temporaryDatabase.ts"

adapterLaws("SQLite", layerTemporary())
