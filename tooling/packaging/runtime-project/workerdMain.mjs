import { run } from "./program.mjs"

export default {
  async test(_controller, { RUNTIME_CONFIG }) {
    console.log(`saw ${JSON.stringify(await run(JSON.parse(RUNTIME_CONFIG)))}`)
  }
}
