import { arktypePipe } from "../../decode/contestants/arktypePipe.ts"

export const decode = (parsed: unknown) => arktypePipe.assert(parsed)
