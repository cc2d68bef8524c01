/**
 * A base class that adds a private field to an existing object. Comparisons and copies do not see the field, and only the
 * subclass can write it. A `WeakMap` does the same at ten times the cost.
 */
// oxlint-disable-next-line typescript/no-extraneous-class -- its constructor is its purpose
export class Stamp<A extends object> {
  constructor(value: A) {
    return value
  }
}
