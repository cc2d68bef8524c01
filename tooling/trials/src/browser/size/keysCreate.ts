// A page with one call of the entry point of keys.
import { createClient } from "@headgate/client/keys"

const { keys } = createClient({ management: { baseUrl: "https://api.test", keyId: "id", keySecret: "secret" } })
console.log((await keys.create({ organizationId: "", name: "ci", roles: ["developer"] })).key.id)
