import { testProject } from "../../tooling/toolchain/testProject.ts"

export default testProject("sql-adapter", { timeout: 300 })
