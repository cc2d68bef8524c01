import { request } from "undici"
import { baseUrl, clientWork } from "../clientWork.ts"
import { authorization, pathOf } from "../served.ts"

const base = baseUrl()

export const work = clientWork({
  checks: false,
  hasManners: false,
  read: async (pipeId) => {
    const { body } = await request(base + pathOf(pipeId), { headers: { authorization, accept: "application/json" } })
    return JSON.parse(await body.text()).result
  }
})
