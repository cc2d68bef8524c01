declare const isUnlisted: unique symbol

/**
 * A value of the service that this version of the package does not list: a text. Requests take it where they take a known value, and
 * results have it where the service may answer a newer value. {@link unlisted} makes one.
 */
export type Unlisted = string & { readonly [isUnlisted]: true }

/**
 * Sends a value that this version of the package does not list, such as a newer kind of broker. Without it, a misspelt value would
 * compile. The service judges it.
 *
 * @example
 * ```ts
 * import { type ManagementClient, type PipeAddress, unlisted } from "@headgate/client"
 *
 * export const rest = async ({ pipes }: ManagementClient, address: PipeAddress) => {
 *   await pipes.setState({ ...address, command: unlisted("hibernate") })
 *   return await pipes.waitFor(address, unlisted("Hibernating"))
 * }
 * ```
 */
export const unlisted = (value: string): Unlisted =>
  // At run time it is the text.
  value as Unlisted
