import { expect, it } from "vitest"
import { bodyOf } from "../../src/data/openApi.ts"

const path = "/v1/organizations/:organizationId/pipes/:pipeId/settings"
const body = (schema: object) => ({ requestBody: { content: { "application/json": { schema } } } })
const document = {
  components: { schemas: { Settings: { type: "object" }, Settings_1: { type: "string" } } },
  paths: {
    "/v1/organizations/{organizationId}/pipes/{acmePipeId}/settings": {
      get: {},
      put: body({ $ref: "#/components/schemas/Settings_1" }),
      patch: body({ type: "number" })
    },
    "/v1/organizations/{organizationId}/pipes/{pipeId}": { put: body({ $ref: "#/components/schemas/Settings" }) }
  }
}

it.each([
  ["PUT", path, { type: "string" }],
  ["PATCH", path, { type: "number" }],
  ["GET", path, undefined],
  ["POST", path, undefined],
  ["PUT", path.replace("/settings", ""), { type: "object" }],
  ["PUT", "/v1/other", undefined]
])("finds the body of %s %s", (method, path, schema) => {
  expect(bodyOf(document, method, path)).toEqual(schema)
})
