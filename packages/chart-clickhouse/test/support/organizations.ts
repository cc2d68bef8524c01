import { OrganizationId } from "@headgate/core"

export const one = OrganizationId.make("11111111-1111-4111-8111-111111111111")
export const other = OrganizationId.make("22222222-2222-4222-8222-222222222222")
