// A console that keeps what is typed into it.
import { spoilConsole } from "./spoilConsole.mjs"

await spoilConsole(() => {
  addEventListener("input", ({ target }) => localStorage.setItem(target.id, target.value))
})
