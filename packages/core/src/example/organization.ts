import { isPermitted, Permission } from "../access/Principal.ts"
import { exampleIds } from "./ids.ts"

const organization = { id: exampleIds.organizationId, name: "Acme", createdAt: "2026-01-15T09:00:00Z" }

/** Examples of the operations on organizations. */
export const organizationExamples = {
  list: { success: [organization] },
  get: { success: organization },
  whoami: {
    success: {
      organization,
      key: { id: exampleIds.keyId, name: "ci" },
      roles: ["developer"],
      permissions: Permission.literals.filter((permission) => isPermitted(["developer"], permission))
    }
  }
}
