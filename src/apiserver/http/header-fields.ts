/** What both versions of HTTP have in common about the fields of a request's head. */

/** Fields of which the first counts, because a list of them has no meaning. */
const single = new Set(
  `authorization content-length content-location content-md5 content-range content-type date expires from host if-match if-modified-since
   if-none-match if-range if-unmodified-since max-forwards proxy-authorization range referer user-agent`.split(/\s+/)
)

export type HeaderFields = Record<string, string | undefined>

/** A method or the name of a field (RFC 9110, section 5.6.2). */
export const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** What a path or an authority is made of. */
export const visible = /^[\x21-\x7e\x80-\xff]+$/

/** A Content-Length: digits alone. */
export const bodyLength = /^\d{1,15}$/

/** Adds a field. Values of a name that came more than once are joined, unless only the first counts. */
export function addField(fields: HeaderFields, name: string, value: string): void {
  const before = fields[name]
  if (before === undefined) fields[name] = value
  else if (!single.has(name)) fields[name] = before + (name === 'cookie' ? '; ' : ', ') + value
}
