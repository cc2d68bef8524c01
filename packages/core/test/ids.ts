import { OrganizationId } from "../src/id/organization.ts"
import { TokenId } from "../src/id/token.ts"
import { ApiKeyId } from "../src/id/key.ts"
import { PipeId } from "../src/id/pipe.ts"
import { ServiceId } from "../src/id/service.ts"

export const organizationId = OrganizationId.make("a0000000-0000-4000-8000-000000000001")
export const otherOrganizationId = OrganizationId.make("a0000000-0000-4000-8000-000000000002")
export const serviceId = ServiceId.make("b0000000-0000-4000-8000-000000000001")
export const otherServiceId = ServiceId.make("b0000000-0000-4000-8000-000000000002")
export const pipeId = PipeId.make("c0000000-0000-4000-8000-000000000001")
export const apiKeyId = ApiKeyId.make("d0000000-0000-4000-8000-000000000001")
export const tokenId = TokenId.make("e0000000-0000-4000-8000-000000000001")
