import { customRoleIds, customRolesOf, roleIssues, withRoleNames } from "./assignRoles.ts"
import { changeApiKey, refuseOwnDeletion, validateApiKeyUpdate } from "./changeApiKey.ts"
import { duplicateKeyId, makeApiKey } from "./makeApiKey.ts"

/** The rules of every store of keys. */
export const keyRules = {
  /** Makes a key from a request. */
  make: makeApiKey,
  /** The error of a key whose id another one has. */
  duplicateId: duplicateKeyId,
  /** Checks the changes to a key before it is read. */
  validateUpdate: validateApiKeyUpdate,
  /** Applies changes that are valid. */
  change: changeApiKey,
  /** Fails if the key is that of the caller. */
  refuseOwnDeletion,
  /** What is wrong with the roles of a request. */
  roleIssues,
  /** The ids of the custom roles that a request names. A store reads these roles before it assigns them. */
  customRoleIds,
  /** The ids of the custom roles that a key has. */
  customRolesOf,
  /** A stored key as it is answered: with the names that its custom roles have now. */
  withRoleNames
}
