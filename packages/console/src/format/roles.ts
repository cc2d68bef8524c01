/** Which role of a key grants a permission: `admin` grants all, `developer` what reads and tries, but no rows. */
export const rolesFor = (permission: string): string =>
  /:(read|discover|validate)$/.test(permission) && permission !== "data:read"
    ? "The roles developer and admin do."
    : "The role admin does."
