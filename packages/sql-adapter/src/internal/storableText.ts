/**
 * Whether every database stores a text in a column of its own as it is. (In a document, JSON escapes it.) Postgres's TEXT
 * has no NUL, and UTF-8 has no lone surrogate: it would be stored as other text.
 */
export const isStorable = (text: string): boolean => !text.includes("\0") && !/\p{Cs}/u.test(text)
