// Has the mover give up a batch behind 20 rejected rows: what follows goes to the error table unread.
import { changeSource } from "./changeSource.mjs"

await changeSource(/rejects\(content,\s*row\)/, 'rejected.length >= 20 ? "not read" : rejects(content, row)')
