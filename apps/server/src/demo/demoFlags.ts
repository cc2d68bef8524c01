import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Flag from "effect/cli/Flag"
import { join } from "node:path"
import { isLoopbackName } from "../access/requestHost.ts"
import type { FlagValues } from "../flags.ts"
import { isGateway, type UpstreamOptions } from "../gateway/gatewayFlags.ts"
import { embedded, type MoverOptions, warehouseName } from "../mover/moverFlags.ts"
import { UsageError } from "../StartupError.ts"
import type { StoreOptions } from "../store/chooseStore.ts"

/** The flag of a server that shows what it does. */
export const demoFlags = {
  demo: Flag.Boolean("demo").pipe(
    Flag.withDescription(
      "Show what a server does: pipes over rows that it makes up, moved by the engine in this process, with charts; on loopback, with a store of its own (--data, default: .headgate/demo)"
    ),
    Flag.withDefault(false)
  )
}

/** The flags that a demo reads or sets. */
type DemoOptions = FlagValues<typeof demoFlags> &
  MoverOptions &
  StoreOptions &
  UpstreamOptions & { readonly charts: boolean; readonly host: string; readonly memory: boolean }

/** What is wrong with the flags of a demo; `undefined` for nothing. */
const wrongFlags = (options: DemoOptions): string | undefined => {
  if (isGateway(options)) return "a gateway stores no pipes: leave out --demo, or --upstream"
  if (!isLoopbackName(options.host)) {
    return `--demo is for trying out on one machine, and --host ${options.host} is not a loopback address: leave out one of them`
  }
  if (Option.isSome(warehouseName(options))) {
    return "--demo moves rows to an engine of its own: leave out --warehouse and --warehouses"
  }
  if (options.memory || Option.isSome(options.databaseUrl)) {
    return "--demo keeps its data in a directory of its own: leave out --memory and --database-url, and pass --data for another one than .headgate/demo"
  }
  return undefined
}

/** Fails with `UsageError` for flags that do not go with `--demo`. */
export const checkDemo = Effect.fnUntraced(function* (options: DemoOptions) {
  const message = options.demo ? wrongFlags(options) : undefined
  if (message !== undefined) return yield* new UsageError({ message })
})

/** The flags that `--demo` stands for: its directory, the engine in it, charts. */
export const withDemo = <Options extends DemoOptions>(options: Options): Options => {
  if (!options.demo) return options
  const directory = Option.getOrElse(options.data, () => join(".headgate", "demo"))
  const warehouse = Option.some(`${embedded}${join(directory, "warehouse")}`)
  return { ...options, data: Option.some(directory), warehouse, charts: true }
}
