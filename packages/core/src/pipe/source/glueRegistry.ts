import type { FieldRules } from "./FieldRule.ts"
import { text } from "./optionalFields.ts"

/** The fields of an AWS Glue schema registry, which has no credentials: the pipe reads it with a role. */
export const glueFields = {
  glueRegion: text("The cloud region of the Glue schema registry."),
  glueRegistryName: text("The name of the Glue schema registry."),
  glueRoleArn: text("The cloud role that reads the Glue schema registry. Absent: that of the source.")
}

const isGlue = { field: "type", is: ["glue"] }
const ofGlue = { isRequired: isGlue, onlyWith: [isGlue] }

/** The rules of {@link glueFields} beside `type`. */
export const glueRules: FieldRules = {
  glueRegion: ofGlue,
  glueRegistryName: ofGlue,
  glueRoleArn: { onlyWith: [isGlue] }
}
