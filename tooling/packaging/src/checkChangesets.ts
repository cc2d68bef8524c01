// `npm run check`, Changesets: what is pending leaves no package behind.
import { changesetFaults, fixedGroupFaults } from "./release/changesetFaults.ts"
import { root } from "./workspace/root.ts"

const faults = [...fixedGroupFaults(root), ...(await changesetFaults(root))]
for (const fault of faults) process.stdout.write(`RED ${fault}\n`)
if (faults.length === 0) process.stdout.write("ok  the packages move together, and no app is left behind\n")
process.exitCode = faults.length === 0 ? 0 : 1
