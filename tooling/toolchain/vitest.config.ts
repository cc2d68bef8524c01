import { testProject } from "./testProject.ts"

export default testProject("toolchain")
