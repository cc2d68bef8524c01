import { MemoryAdapter } from "@headgate/memory-adapter"
import type { Authenticator } from "@headgate/core/access"
import type { OrganizationDashboards } from "@headgate/core/dashboard"
import type { ApiKeys } from "@headgate/core/key"
import type { Pipes } from "@headgate/core/pipe"
import type { Snapshots } from "@headgate/core/snapshot"
import { dialects } from "@headgate/http-contract"
import { SqlAdapter } from "@headgate/sql-adapter"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodePath from "@effect/platform-node/NodePath"
import * as Console from "effect/Console"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { createServer } from "node:http"
import { join } from "node:path"
import * as Routes from "./http/Routes.ts"
import type { Options } from "./Options.ts"
import { listeningText } from "./startup/announcement.ts"
import { checkOptions } from "./startup/checkOptions.ts"
import { prepare } from "./startup/prepare.ts"
import { StartupError } from "./startup/StartupError.ts"

const dataDirectory = (options: Options): string => Option.getOrElse(options.data, () => ".headgate")

const storeName = (options: Options): string =>
  options.memory ? "memory (gone when the server ends)" : join(dataDirectory(options), "headgate.sqlite")

const orStartupError = <A, E extends { readonly message: string }>(store: Layer.Layer<A, E>) =>
  Layer.catch(store, (error) =>
    Layer.effectContext(new StartupError({ message: `the store could not be opened: ${error.message}` }))
  )

const storeLayer = (
  options: Options
): Layer.Layer<ApiKeys | Authenticator | OrganizationDashboards | Pipes | Snapshots, StartupError> =>
  options.memory
    ? orStartupError(MemoryAdapter.layer())
    : orStartupError(SqlAdapter.layerSqlite({ filename: storeName(options) }))

const listen = ({ host, port }: Options) =>
  NodeHttpServer.layer(createServer, { host, port }).pipe(
    Layer.catchTag("ServeError", (error) =>
      Layer.effectContext(
        new StartupError({ message: `could not listen on ${host}, port ${port}: ${String(error.cause)}` })
      )
    )
  )

const platform = Layer.mergeAll(
  NodeFileSystem.layer,
  NodePath.layer,
  Digest.layerWebCrypto,
  SecureRandom.layerWebCrypto
)

const announce = (options: Options) =>
  Layer.effectDiscard(HttpServer.addressFormattedWith((url) => Console.log(listeningText(url, storeName(options)))))

/**
 * The whole server, from its flags: the one place where adapters are chosen. The order is the order of the layers:
 * the store, then what it must hold before the first request, then the socket, then the routes, then the word that
 * all is ready.
 */
export const layer = (options: Options) => {
  const store = Layer.effectDiscard(prepare(options)).pipe(
    Layer.provide(platform),
    Layer.provideMerge(storeLayer(options)),
    Layer.provide(Layer.effectDiscard(checkOptions(options)))
  )
  const routes = HttpRouter.serve(Routes.layer(dialects[options.dialect]), {
    disableLogger: true,
    disableListenLog: true,
    routerConfig: Routes.routerConfig
  })
  return announce(options).pipe(Layer.provide(routes), Layer.provide(Layer.provideMerge(listen(options), store)))
}
