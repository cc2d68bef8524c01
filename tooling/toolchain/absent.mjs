/** Stands where a package was left out of a bundle, for whatever was taken from it. */
function Absent() {
  throw new Error("this was left out of the bundle: see `without` in rolldown.config.mjs")
}

export { Absent as WebSocket, Absent as WebSocketServer }
export default Absent
