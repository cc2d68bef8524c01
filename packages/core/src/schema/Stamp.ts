/**
 * Who extends it gives a private field to a value that is there already. No comparison and no copy sees the field, and
 * nobody else can write it. A `WeakMap` would do, at ten times the cost.
 */
// oxlint-disable-next-line typescript/no-extraneous-class -- its constructor is what it is for
export class Stamp<A extends object> {
  constructor(value: A) {
    return value
  }
}
