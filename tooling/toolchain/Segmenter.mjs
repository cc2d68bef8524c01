const Eager = globalThis.Intl.Segmenter

/**
 * `Intl.Segmenter`, made when it is used for the first time: a module that makes one as it is loaded, for the widths of a
 * table that may never be drawn, takes a tenth of a start with it.
 */
export class Segmenter {
  #options
  #made
  constructor(...options) {
    this.#options = options
  }
  segment(text) {
    this.#made ??= new Eager(...this.#options)
    return this.#made.segment(text)
  }
}
