import { testProject } from "../../tooling/toolchain/testProject.ts"

// Its files share one broker.
export default testProject("mover-kafka", { timeout: 300, isInTurn: true })
