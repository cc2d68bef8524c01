import { IpAccessListEntryCreate } from "@headgate/core"
import * as Effect from "effect/Effect"
import { checked, invalid } from "../usage/checked.ts"

const place = { kind: "flag", name: "allow" } as const

const checkSource = checked(place, IpAccessListEntryCreate.schema.fields.source)

/** One entry of the access list, as `--allow` names it: `203.0.113.0/24` or `203.0.113.0/24=office`. */
export const allowed = (text: string) => {
  const [source = "", ...rest] = text.split("=")
  const description = rest.join("=").trim()
  return checkSource(source.trim()).pipe(
    Effect.mapError(({ expected }) => invalid(place, text, expected)),
    Effect.map((address): IpAccessListEntryCreate =>
      description === "" ? { source: address } : { source: address, description }
    )
  )
}
