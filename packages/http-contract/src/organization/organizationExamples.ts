import type { Examples } from "../Operation.ts"
import type { organizationOperations } from "./organizationOperations.ts"

const example = {
  id: "1c9f6a0e-3b7d-4f2a-8e5c-7d4b6a9f0e21",
  name: "Acme",
  createdAt: "2026-01-15T09:00:00Z"
}

/** Examples of the operations on organizations. */
export const organizationExamples: Examples<ReturnType<typeof organizationOperations>> = {
  list: { success: [example] },
  get: { success: example },
  whoami: {
    success: {
      organization: example,
      key: { id: "d11a82d4-6d05-4721-8f0b-b0eb24aba6f3", name: "ci" },
      roles: ["developer"]
    }
  }
}
