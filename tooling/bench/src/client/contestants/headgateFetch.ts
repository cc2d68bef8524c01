import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { headgateWork } from "../headgateClient.ts"

export const work = await headgateWork(FetchHttpClient.layer)
