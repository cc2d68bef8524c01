// Ends the process, as SIGKILL does, at the step of writing files that END_AT_STEP counts: a file is created, flushed, gets its
// name, or is removed. Even steps end before they happen, odd ones after.
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"

const at = Number(process.env.END_AT_STEP)
let count = 0

const counted = (name, isStep = () => true) => {
  const step = fs[name]
  fs[name] = (...args) => {
    if (!isStep(...args)) return step(...args)
    const number = (count += 1)
    const callback = args.pop()
    if (number * 2 === at) process.kill(process.pid, "SIGKILL")
    step(...args, (...results) => {
      if (number * 2 + 1 === at) process.kill(process.pid, "SIGKILL")
      callback(...results)
    })
  }
}

counted("open", (_path, flags) => typeof flags === "string" && flags.startsWith("w"))
counted("fsync")
counted("rename")
counted("rm")
syncBuiltinESMExports()
