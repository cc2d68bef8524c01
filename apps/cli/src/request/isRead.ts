/** Whether a request of the method changes nothing. */
export const isRead = (method: string): boolean => method === "GET" || method === "HEAD"
