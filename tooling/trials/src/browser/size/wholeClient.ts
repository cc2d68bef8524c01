// A page with one call of the whole client.
import { createClient } from "@headgate/client"

const { pipes } = createClient({ management: { baseUrl: "https://api.test", keyId: "id", keySecret: "secret" } })
console.log((await pipes.get({ organizationId: "", serviceId: "", pipeId: "" })).state)
