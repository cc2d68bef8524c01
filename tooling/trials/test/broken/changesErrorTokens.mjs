// Inserts into the error table under another token in each process: rejected rows that are replayed after a kill are in it twice. Answers to
// these inserts come a second late, so that kills meet them.
import { randomUUID } from "node:crypto"
import { changeRequests } from "./changeRequests.mjs"

const ofProcess = randomUUID()
const isOfErrors = (query) => /INSERT INTO \S+_pipe_errors/.test(query)

await changeRequests(
  (query) =>
    isOfErrors(query) ? query.replace(/(insert_deduplication_token = ')/, (_, before) => before + ofProcess) : query,
  (query) => (isOfErrors(query) ? 1000 : 0)
)
