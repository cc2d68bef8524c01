import { SystemRole } from "@headgate/core"
import { isPermitted } from "@headgate/core/adapter"
import { neutral, operations } from "@headgate/http-contract"
import type { HelpSection } from "./helpPageOf.ts"

/** The help section about what each role allows a key of the management API. */
export const roles: HelpSection = {
  title: "ROLES",
  rows: () => {
    const { key, pipe, role } = operations(neutral)
    const all = [...Object.values(pipe), ...Object.values(key), ...Object.values(role)]
    return SystemRole.literals.map((name) => {
      const permitted = all.filter(({ permission }) => isPermitted([name], permission))
      return [name, permitted.map(({ summary }) => summary).join(", ") || "Nothing here"]
    })
  }
}
