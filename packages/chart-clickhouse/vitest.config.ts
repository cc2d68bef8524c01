import { testProject } from "../../tooling/toolchain/testProject.ts"

export default testProject("chart-clickhouse", { timeout: 300 })
