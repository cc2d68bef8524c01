// A page that no browser can run.
import { basename } from "node:path"

console.log(basename("/a/b"))
