import type { RequestContext } from '../../apimachinery/request/context.js'

/** Names the kinds of credentials that a refused request came with, not the credentials. */
export function attemptedMethods(context: RequestContext): string {
  const methods: string[] = []
  const authorization = (context.header('authorization') ?? '').trim()
  if (/^basic [A-Za-z0-9+/]+=*$/i.test(authorization) && isBasic(authorization.slice('basic '.length))) methods.push('basic')
  if (/^bearer /i.test(authorization)) methods.push('bearer')
  if (context.query.size > 0 && (context.query.get('access_token') ?? '').trim() !== '') methods.push('access_token')
  if (context.request.peerCertificates().length > 0) methods.push('x509')
  return methods.length > 0
    ? `Authentication failed, attempted: ${methods.join(', ')}`
    : 'Authentication failed, no credentials provided'
}

const isBasic = (encoded: string) => Buffer.from(encoded, 'base64').includes(0x3a)
