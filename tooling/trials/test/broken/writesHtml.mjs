// A console that takes the title of a page for HTML.
import { spoilConsole } from "./spoilConsole.mjs"

await spoilConsole(() => {
  setInterval(() => {
    const title = document.querySelector("h1")
    if (title !== null && title.children.length === 0 && title.textContent.includes("<")) {
      title.insertAdjacentHTML("afterend", title.textContent)
    }
  }, 20)
})
