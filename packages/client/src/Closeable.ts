/// <reference lib="esnext.disposable" preserve="true" />

/** What every client has. `await using` closes it too. */
export interface Closeable extends AsyncDisposable {
  /**
   * Aborts the calls in flight and releases the connections. Those calls, and all later ones, reject with
   * `ClientClosedError`. Closing twice is allowed.
   */
  close(): Promise<void>
}
