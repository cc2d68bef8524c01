// chdb is an optional peer of 540 MB, which is not installed here: what is used of it.
declare module "chdb/connection" {
  export const createChdbConnection: (options: { readonly path: string }) => unknown
}
