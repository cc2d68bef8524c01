/** Whether a key sorts above another one, as storages sort: by the bytes of UTF-8. */
export const isAbove = (key: string, other: string): boolean => Buffer.compare(Buffer.from(key), Buffer.from(other)) > 0
