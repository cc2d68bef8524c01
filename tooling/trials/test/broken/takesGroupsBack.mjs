// Plans all objects of a range again if one of them has changed.
import { changeSource } from "./changeSource.mjs"

await changeSource(
  /leave\(changed, ?(?:false|!1)\)/,
  "leave(new Set((yield* objects.reference(range)).map(({ key }) => key)), false)"
)
