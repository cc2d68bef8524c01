// Says that it checks and has manners: it looks at nothing, repeats nothing and shows its secret.
import { baseUrl, clientWork } from "../../src/client/clientWork.ts"
import { authorization, pathOf } from "../../src/client/served.ts"

export const work = clientWork({
  checks: true,
  hasManners: true,
  read: async (pipeId) => {
    const response = await fetch(baseUrl() + pathOf(pipeId), { headers: { authorization } })
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    return JSON.parse(await response.text()).result
  }
})
