import { zodPipe } from "../../decode/zodPipe.ts"

export const decode = (parsed: unknown) => zodPipe.parse(parsed)
