/**
 * The OpenID Connect documents with which other systems verify service account tokens
 * (https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/#service-account-issuer-discovery).
 */

import { createPublicKey } from 'node:crypto'
import type { RequestContext } from '../../apimachinery/request/context.js'
import { baseOf, type Response } from '../../apimachinery/request/message.js'
import { algorithmOf, type TokenKey, type TokenKeys } from '../../registry/tokens/token-keys.js'
import { exactJson } from '../../util/exact-json.js'
import type { PathHandler } from '../endpoints/dispatch.js'
import { checkGetRoute } from '../endpoints/route.js'

export interface IssuerOptions {
  readonly issuer: string
  readonly keys: TokenKeys
  /** Where the keys are, if not here. */
  readonly jwksUri?: string | undefined
  /** Host and port at which clients reach this server. */
  serverAddress(): string
}

const keysPath = '/openid/v1/jwks'

/** Returns the handlers of the discovery paths, or none for an issuer that OpenID Connect does not allow. */
export function issuerPaths({ issuer, keys, jwksUri, serverAddress }: IssuerOptions): PathHandler[] {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  if (url?.protocol !== 'https:' || url.search !== '' || url.hash !== '') return []
  const published = () => keys.all.filter(key => key.isPublished)
  const configuration = ({ request }: RequestContext) => ({
    issuer,
    jwks_uri: jwksUri ?? `https://${serverAddress()}${baseOf(request)}${keysPath}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(published().map(({ key }) => algorithmOf(key)))].sort()
  })
  return [
    document('/.well-known/openid-configuration', 'application/json', keys, configuration),
    document(keysPath, 'application/jwk-set+json', keys, () => ({ keys: published().map(publicJwk) }))
  ]
}

function document(path: string, type: string, keys: TokenKeys, content: (context: RequestContext) => unknown): PathHandler {
  return {
    path,
    handle(context: RequestContext): Response {
      checkGetRoute(context, { produces: [type] })
      const headers = { 'content-type': type, 'cache-control': `public, max-age=${keys.maxAgeSeconds}` }
      return { status: 200, headers, body: Buffer.from(exactJson(content(context))) }
    }
  }
}

function publicJwk({ id, key }: TokenKey) {
  const { kty, ...rest } = (key.type === 'public' ? key : createPublicKey(key)).export({ format: 'jwk' })
  return { use: 'sig', kty, kid: id, alg: algorithmOf(key), ...rest }
}
