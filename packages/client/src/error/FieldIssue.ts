/** One thing wrong with one field: `path` names it as in `tiles[2].w`, empty for the whole value. */
export interface FieldIssue {
  readonly path: string
  readonly message: string
}
