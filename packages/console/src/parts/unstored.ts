/** What keeps password managers and the browser from storing a text, or from sending it away to be spelt. */
export const unstored = {
  autocomplete: "off",
  spellcheck: false,
  autocapitalize: "off",
  "data-1p-ignore": true,
  "data-lpignore": "true"
} as const
