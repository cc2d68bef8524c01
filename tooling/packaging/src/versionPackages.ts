// `npm run version-packages`, after changesets raised the versions.
import { adoptVersion } from "./release/adoptVersion.ts"
import { root } from "./workspace/root.ts"

adoptVersion(root)
