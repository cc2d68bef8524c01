import { posix } from "node:path"
import type { Tarball } from "../tarball/Tarball.ts"

const contentTypes = /\.(?:css|js|json|png|svg)$/
const named = /["'`](?:\.\/|\/console\/)?((?:assets\/)?[\w.-]+-[\w-]{8}\.\w+)["'`]/g

/** The pages of sites: `dist/console/index.html`. */
const pages = /^dist\/[^/]+\/index\.html$/

/** The rule for the sites that an app serves: every asset that the page or a script names is there, and nothing else. */
export const siteFaults = ({ files, has, manifest, read }: Tarball): ReadonlyArray<string> =>
  manifest.bin === undefined
    ? []
    : files
        .filter((file) => pages.test(file))
        .flatMap((page) => {
          const assets = posix.join(posix.dirname(page), "assets/")
          const held = files.filter((file) => file.startsWith(assets))
          const led = new Map(
            [page, ...held.filter((file) => /\.(?:css|js)$/.test(file))].flatMap((file) =>
              Array.from(read(file).matchAll(named), ([, name = ""]) => [assets + posix.basename(name), file] as const)
            )
          )
          return [
            ...Array.from(led).flatMap(([asset, file]) =>
              has(asset) ? [] : [`${file} loads ${asset}, which is not in the tarball`]
            ),
            ...held.flatMap((asset) => (led.has(asset) ? [] : [`nothing loads ${asset}: it is of an earlier build`])),
            ...held.flatMap((asset) => (contentTypes.test(asset) ? [] : [`${asset} is of a type that is not served`]))
          ]
        })
