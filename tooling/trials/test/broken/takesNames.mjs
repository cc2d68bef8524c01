// Takes every table whose name it finds, whoever has created it.
import { changeServer } from "./changeSource.mjs"

await changeServer([/if\(isOfMovers\(found\)\|\|!holdsRows\(found\)\)return!1;/, "return!0;"])
