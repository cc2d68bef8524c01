// A program without Effect.
import { createClient } from "@headgate/client"
import { strict as assert } from "node:assert"
import { setting } from "./setting.ts"

const headgate = createClient({
  management: {
    baseUrl: setting("HEADGATE_URL"),
    keyId: setting("HEADGATE_KEY_ID"),
    keySecret: setting("HEADGATE_KEY_SECRET")
  },
  observability: { baseUrl: setting("HEADGATE_URL"), token: setting("HEADGATE_TOKEN") }
})

const pipe = await headgate.pipes.get({
  organizationId: setting("HEADGATE_ORGANIZATION"),
  serviceId: setting("HEADGATE_SERVICE"),
  pipeId: setting("PIPE")
})
assert.equal(pipe.id, setting("PIPE"))
await headgate.close()

console.log(`got ${pipe.name} from a promise`)
