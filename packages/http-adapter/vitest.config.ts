import { testProject } from "../../tooling/toolchain/testProject.ts"

export default testProject("http-adapter")
