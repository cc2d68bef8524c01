import { bundle } from "@headgate/toolchain/bundle"

export default bundle(import.meta.url, {
  parts: true,
  // Effect's HTTP server takes it for WebSockets, and nothing here is upgraded to one.
  without: ["ws"]
})
