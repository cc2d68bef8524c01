import { zodPipe } from "../../decode/contestants/zodPipe.ts"

export const decode = (parsed: unknown) => zodPipe.parse(parsed)
