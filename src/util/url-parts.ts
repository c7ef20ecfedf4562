/** Writes parts of URLs as Go does. */

/** Escapes a decoded path. `%` is escaped, too, so the other side reads the same path. */
export const escapedPath = (path: string): string =>
  encodeURI(path.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /[?#!*'()]/g,
    letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`
  )

export const hostAndPort = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`
