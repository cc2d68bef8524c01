import { baseUrl, clientWork } from "../clientWork.ts"
import { authorization, pathOf } from "../served.ts"

const base = baseUrl()

export const work = clientWork({
  checks: false,
  hasManners: false,
  read: async (pipeId) => {
    const response = await fetch(base + pathOf(pipeId), { headers: { authorization, accept: "application/json" } })
    return JSON.parse(await response.text()).result
  }
})
