import * as Effect from "effect/Effect"

/**
 * With TLS, SIGHUP asks for the certificate to be read again. Where nobody hears it, as while the server starts or ends,
 * there is nothing to read again, and no reason to be gone: from now on it does not end the process.
 */
export const outliveHangup = Effect.sync(() => void process.on("SIGHUP", () => undefined))
