import { arktypePipe } from "../../decode/arktypePipe.ts"

export const decode = (parsed: unknown) => arktypePipe.assert(parsed)
