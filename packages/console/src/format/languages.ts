/** The languages of the browser, by which numbers and times are written; English where there is none. */
export const languages: ReadonlyArray<string> = typeof navigator === "undefined" ? ["en"] : [...navigator.languages]
