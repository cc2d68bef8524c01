import * as Config from "effect/Config"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { StartupError } from "../StartupError.ts"
import { askReady, defaultUrl, serverUrlOf } from "./askReady.ts"

/** `headgate-server health`: the health check of a container, which then needs no other program. */
export const healthCommand = Command.make(
  "health",
  {
    url: Flag.String("url").pipe(
      Flag.withMetavar("http://..."),
      Flag.withDescription(`The server to ask (default: ${defaultUrl}) [HEADGATE_URL]`),
      Flag.withFallbackConfig(Config.String("HEADGATE_URL")),
      Flag.withDefault(defaultUrl),
      Flag.filterMap(
        (text) => Option.fromUndefinedOr(serverUrlOf(text)),
        () => `an http or https URL such as ${defaultUrl}`
      )
    )
  },
  Effect.fnUntraced(function* ({ url }) {
    const { isReady, text } = yield* Effect.promise(() => askReady(url))
    return yield* isReady ? Console.log(text) : new StartupError({ message: text })
  })
).pipe(
  Command.withDescription("Ask a running server whether it is ready: exit code 0, or 1 and the reason"),
  Command.withExamples([
    { command: "headgate-server health", description: "As the health check of a container does" },
    { command: "headgate-server health --url https://localhost:8443", description: "At another port, over TLS" }
  ])
)
