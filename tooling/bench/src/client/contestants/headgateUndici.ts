import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { headgateWork } from "../headgateClient.ts"

export const work = await headgateWork(NodeHttpClient.layerUndici)
