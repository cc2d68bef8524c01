import { UndiciHttpClient } from "@headgate/http-adapter/undici"
import { headgateWork } from "../headgateClient.ts"

export const work = await headgateWork(UndiciHttpClient.layer)
