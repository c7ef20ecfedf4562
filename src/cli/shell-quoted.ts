/** Quotes a text for a POSIX shell where that is necessary. */
export const shellQuoted = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
