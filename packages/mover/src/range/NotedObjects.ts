/** Objects of which something is to be said: how many, and the keys of the newest ones. */
export interface NotedObjects {
  readonly count: number
  readonly newest: ReadonlyArray<string>
}

const mostKeys = 5
const longestKey = 200

const none: NotedObjects = { count: 0, newest: [] }

/** Adds keys to {@link NotedObjects}, which keep the newest few. */
export const NotedObjects = {
  /** No objects. */
  none,

  /**
   * What was noted, and these keys, the last of which is the newest. However many there are, it keeps five keys of at most 200 characters.
   *
   * @example
   * ```ts
   * import { NotedObjects } from "@headgate/mover"
   *
   * console.log(NotedObjects.addNewest(NotedObjects.none, ["a.json", "b.json"])) // { count: 2, newest: [ 'b.json', 'a.json' ] }
   * ```
   */
  addNewest: ({ count, newest }: NotedObjects, keys: ReadonlyArray<string>): NotedObjects => ({
    count: count + keys.length,
    newest: [
      ...keys
        .slice(-mostKeys)
        .toReversed()
        .map((key) => key.slice(0, longestKey)),
      ...newest
    ].slice(0, mostKeys)
  }),

  /**
   * Those that were noted before, and later ones.
   *
   * @example
   * ```ts
   * import { NotedObjects } from "@headgate/mover"
   *
   * console.log(NotedObjects.add({ count: 1, newest: ["a"] }, { count: 1, newest: ["b"] })) // { count: 2, newest: [ 'b', 'a' ] }
   * ```
   */
  add: (before: NotedObjects, later: NotedObjects): NotedObjects => ({
    count: before.count + later.count,
    newest: [...later.newest, ...before.newest].slice(0, mostKeys)
  })
}
