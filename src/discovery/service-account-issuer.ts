/**
 * The OpenID Connect documents with which other systems verify service account tokens
 * (https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/#service-account-issuer-discovery).
 */

import { createPublicKey, type KeyObject } from 'node:crypto'
import type { PathHandler } from '../endpoints/dispatch.js'
import { checkGetRoute } from '../endpoints/route.js'
import { algorithmOf, keyId } from '../registry/tokens/service-account-tokens.js'
import type { RequestContext } from '../request/context.js'
import type { Response } from '../request/message.js'

export interface IssuerOptions {
  readonly issuer: string
  readonly publicKeys: readonly KeyObject[]
  /** Where the keys are, if not here. */
  readonly jwksUri?: string | undefined
  /** Host and port at which clients reach this server. */
  serverAddress(): string
}

const keysPath = '/openid/v1/jwks'

/** Returns the handlers of the discovery paths, or none for an issuer that OpenID Connect does not allow. */
export function issuerPaths({ issuer, publicKeys, jwksUri, serverAddress }: IssuerOptions): PathHandler[] {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  if (url?.protocol !== 'https:' || url.search !== '' || url.hash !== '') return []
  const configuration = () => ({
    issuer,
    jwks_uri: jwksUri ?? `https://${serverAddress()}${keysPath}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(publicKeys.map(algorithmOf))].sort()
  })
  const keys = Buffer.from(JSON.stringify({ keys: publicKeys.map(publicJwk) }))
  return [
    document('/.well-known/openid-configuration', 'application/json', () => Buffer.from(JSON.stringify(configuration()))),
    document(keysPath, 'application/jwk-set+json', () => keys)
  ]
}

function document(path: string, type: string, body: () => Buffer): PathHandler {
  return {
    path,
    handle(context: RequestContext): Response {
      checkGetRoute(context, { produces: [type] })
      return { status: 200, headers: { 'content-type': type, 'cache-control': 'public, max-age=3600' }, body: body() }
    }
  }
}

function publicJwk(key: KeyObject) {
  const { kty, ...rest } = (key.type === 'public' ? key : createPublicKey(key)).export({ format: 'jwk' })
  return { use: 'sig', kty, kid: keyId(key), alg: algorithmOf(key), ...rest }
}
