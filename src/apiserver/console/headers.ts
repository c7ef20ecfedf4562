/** The headers by which browsers guard the console. */
import type { Response } from '../../apimachinery/request/message.js'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'"
].join('; ')

const own: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin'
}

/** Adds them to an answer of the console itself. */
export function guarded(response: Response): Response {
  Object.assign(response.headers, own)
  return response
}

/**
 * Adds what keeps the answer of another server from acting in the console's origin: a Pod that is reached through a proxy path may answer with a
 * page and its scripts. The policies of both count.
 */
export function sandboxed(response: Response): Response {
  const { headers } = response
  headers['content-security-policy'] = ['sandbox', headers['content-security-policy'] ?? []].flat()
  headers['x-content-type-options'] = 'nosniff'
  return response
}
