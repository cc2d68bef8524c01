// A page with one call of the entry point of pipes.
import { createClient } from "@headgate/client/pipes"

const { pipes } = createClient({ management: { baseUrl: "https://api.test", keyId: "id", keySecret: "secret" } })
console.log((await pipes.get({ organizationId: "", serviceId: "", pipeId: "" })).state)
