import { testProject } from "../toolchain/testProject.ts"

export default testProject("trials")
