/** Computes how long a shared cache may keep an answer (RFC 9111). */

type Headers = Readonly<Record<string, string | string[] | undefined>>

const dayMs = 24 * 60 * 60 * 1000
/** The longest time in seconds: Go's library counts in 31 bits. */
const longest = 2 ** 31 - 1

/**
 * Returns the time at which an answer expires, in milliseconds since 1970; `now` when it does not say. As in kube-apiserver's
 * library, only the times count, not whether the answer may be kept at all.
 */
export function expiryOf(headers: Headers, now: number): number {
  const header = (name: string) => [headers[name]].flat()[0]
  return Math.max(now, explicitExpiry(header, now) ?? now)
}

function explicitExpiry(header: (name: string) => string | undefined, now: number): number | undefined {
  const directives = readDirectives(header('cache-control') ?? '')
  for (const name of ['s-maxage', 'max-age']) {
    const value = directives.get(name)
    if (value === undefined) continue
    return /^\d+$/.test(value) ? now + Math.min(Number(value), longest) * 1000 : undefined
  }
  const time = (name: string) => Date.parse(header(name) ?? '')
  const expires = time('expires')
  if (!Number.isNaN(expires)) return now + expires - (Number.isNaN(time('date')) ? now : time('date'))
  const modified = time('last-modified')
  return Number.isNaN(modified) ? undefined : now + Math.min((now - modified) * 0.1, dayMs)
}

function readDirectives(text: string): Map<string, string> {
  const directives = new Map<string, string>()
  for (const part of text.split(',')) {
    const [name, value = ''] = part.trim().split('=', 2)
    directives.set(name!.toLowerCase(), value.replace(/^"|"$/g, ''))
  }
  return directives
}
