import { Role } from "@headgate/core"
import { isPermitted } from "@headgate/core/adapter"
import { neutral, operations } from "@headgate/http-contract"
import type { HelpSection } from "./helpText.ts"

/** The help section about what each role allows a key of the management API. */
export const roles: HelpSection = {
  title: "ROLES",
  rows: () => {
    const { key, pipe } = operations(neutral)
    const all = [...Object.values(pipe), ...Object.values(key)]
    return Role.literals.map((role) => {
      const permitted = all.filter(({ permission }) => isPermitted([role], permission))
      return [role, permitted.map(({ summary }) => summary).join(", ") || "Nothing here"]
    })
  }
}
