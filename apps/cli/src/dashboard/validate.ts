import { DashboardDocument, Dashboards, formatFieldIssues } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { DocumentError } from "../error/CommandError.ts"
import * as Output from "../output/Output.ts"
import { documentDecoder } from "../settings/document.ts"
import { dashboardFile, readDashboardDocument } from "./document.ts"

const decode = documentDecoder(DashboardDocument, "a dashboard")

/** `headgate dashboard validate --file f.json` */
export const validate = Command.make(
  "validate",
  { file: dashboardFile },
  Effect.fnUntraced(function* ({ file }) {
    const dashboards = yield* Dashboards
    const source = `--file ${file}`
    const { errors, valid } = yield* dashboards.validate(yield* decode(yield* readDashboardDocument(file), source))
    if (!valid) {
      const message = `${source}: this is not a dashboard: ${formatFieldIssues(errors)}`
      return yield* new DocumentError({ message, issues: errors })
    }
    yield* Output.done(`${source}: the service takes this dashboard`, { valid, errors })
  })
).pipe(
  Command.withDescription("Check a document without creating a dashboard"),
  Command.withExamples([
    { command: "headgate dashboard validate --file errors.json", description: "Exit code 2 if it is not valid" }
  ])
)
