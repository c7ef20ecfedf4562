import { timingSafeEqual } from 'node:crypto'
import type { Secret } from '../../apimachinery/api/generated/core-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import type { Registry } from '../../registry/registry.js'
import {
  isUsableFor,
  remainingMs,
  tokenData,
  tokenNamespace,
  tokenPrefix,
  tokenType
} from '../../registry/tokens/bootstrap-tokens.js'
import type { Clock } from '../../util/clock.js'
import type { Authenticated, TokenAuthenticator } from './authenticator.js'

const tokenPattern = /^([a-z0-9]{6})\.([a-z0-9]{16})$/
const defaultGroup = 'system:bootstrappers'
const groupPattern = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/

/** Authenticates the bootstrap tokens in the Secrets of kube-system. Treats an invalid Secret as if it did not exist. */
export class BootstrapTokenAuthenticator implements TokenAuthenticator {
  readonly #registry: Registry
  readonly #clock: Clock

  constructor(registry: Registry, clock: Clock) {
    this.#registry = registry
    this.#clock = clock
  }

  authenticateToken(token: string): Authenticated | undefined {
    const match = tokenPattern.exec(token)
    if (!match) return undefined
    const [, id, key] = match as unknown as [string, string, string]
    const secret = this.#registry.ifServed(refs.secrets)?.read(tokenNamespace, tokenPrefix + id)
    if (!secret || !this.#isGood(secret, id, key)) return undefined
    const groups = groupsOf(secret)
    return groups && { user: { name: `system:bootstrap:${id}`, groups } }
  }

  #isGood(secret: Secret, id: string, key: string): boolean {
    return (
      secret.metadata.deletionTimestamp == null &&
      secret.type === tokenType &&
      isSame(tokenData(secret, 'token-secret'), key) &&
      tokenData(secret, 'token-id') === id &&
      remainingMs(secret, this.#clock.now()) > 0 &&
      isUsableFor(secret, 'authentication')
    )
  }
}

function isSame(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)]
  return x.length === y.length && timingSafeEqual(x, y)
}

/** Returns undefined when the Secret names a group outside of system:bootstrappers. */
function groupsOf(secret: Secret): readonly string[] | undefined {
  const named = tokenData(secret, 'auth-extra-groups')
  const groups = named === '' ? [] : named.split(',')
  return groups.every(group => groupPattern.test(group)) ? [...new Set([defaultGroup, ...groups])].sort() : undefined
}
