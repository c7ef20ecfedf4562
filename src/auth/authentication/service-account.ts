/**
 * Authenticates the tokens of service accounts: those of the TokenRequest API, which are bound to objects, and those in Secrets
 * (https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/).
 */
import type { Secret, ServiceAccount } from '../../apimachinery/api/generated/core-v1.js'
import type { UserInfo } from '../../apimachinery/request/user.js'
import { serviceAccountUser } from '../../apimachinery/request/usernames.js'
import type { KubeObject } from '../../registry/kind.js'
import type { Registry } from '../../registry/registry.js'
import { invalidSinceLabel, lastUsedLabel, legacyIssuer } from '../../registry/tokens/legacy-tokens.js'
import { attestedGroups } from '../../registry/tokens/service-account-tokens.js'
import type { TokenKeys } from '../../registry/tokens/token-keys.js'
import type { Clock } from '../../util/clock.js'
import { goQuote } from '../../util/go-format.js'
import { type Authenticated, type TokenAuthenticator, TokenError } from './authenticator.js'
import type { ServiceAccountTokenCounts } from './credential-metrics.js'
import { SignedTokens } from './signed-token.js'
import type { Claims, Reference } from './token-claims.js'

export interface ServiceAccountOptions {
  readonly registry: Registry
  readonly clock: Clock
  readonly keys: TokenKeys
  /** All trusted issuers. New tokens name the first one. */
  readonly issuers: readonly string[]
  /** The audiences by which the server is known. */
  readonly apiAudiences: readonly string[]
  /** Whether tokens in Secrets are valid only as long as their Secret and their account exist. */
  readonly lookup: boolean
  /** Whether tokens may be bound to configurations of webhooks. */
  readonly webhookTokens?: boolean
  /** Labels a Secret with the day on which its token was used. */
  markUsed(secret: Secret, day: string): void
  readonly counts?: ServiceAccountTokenCounts | undefined
}

/** The difference between clocks that is tolerated, in milliseconds. */
const leewayMs = 60_000
const dayMs = 24 * 60 * 60 * 1000
const webhookGroup = 'admissionregistration.k8s.io'
const webhookKinds = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'] as const
const extra = (name: string) => `authentication.kubernetes.io/${name}`
const annotation = (name: string) => `authentication.k8s.io/${name}`

export class ServiceAccountAuthenticator implements TokenAuthenticator {
  readonly #options: ServiceAccountOptions
  readonly #signed: SignedTokens

  constructor(options: ServiceAccountOptions) {
    this.#options = options
    this.#signed = new SignedTokens(options.keys)
  }

  authenticateToken(token: string, wanted = this.#options.apiAudiences): undefined | Promise<Authenticated | undefined> {
    const issuer = SignedTokens.issuerOf(token)
    if (issuer === legacyIssuer) return this.#authenticate(token, wanted, claims => this.#legacy(token, claims))
    if (!this.#options.issuers.some(known => known === issuer)) return undefined
    return this.#authenticate(token, wanted, claims => this.#bound(claims))
  }

  async #authenticate(
    token: string,
    wanted: readonly string[],
    identify: (claims: Claims) => Omit<Authenticated, 'audiences'>
  ): Promise<Authenticated | undefined> {
    const claims = await this.#signed.verify(token)
    if (!claims) return undefined
    const offered = claims.audiences.length > 0 ? claims.audiences : this.#options.apiAudiences
    const audiences = offered.filter(audience => wanted.includes(audience))
    if (audiences.length === 0) {
      const list = (items: readonly string[]) => `[${items.map(goQuote).join(' ')}]`
      throw new TokenError(`token audiences ${list(offered)} is invalid for the target audiences ${list(wanted)}`)
    }
    const identified = identify(claims)
    if (claims.audiences.length > 0) return { ...identified, audiences }
    this.#options.counts?.legacy.add()
    return {
      ...identified,
      annotations: { 'authentication.k8s.io/legacy-token': claims.sub ?? '', ...identified.annotations },
      audiences
    }
  }

  #bound(claims: Claims): Omit<Authenticated, 'audiences'> {
    this.#checkTimes(claims)
    const { namespace, serviceaccount, pod, secret, node } = claims
    const account = this.#get('serviceaccounts', namespace, serviceaccount.name)
    if (!account) throw new TokenError(`serviceaccounts ${goQuote(serviceaccount.name)} not found`)
    if (account.metadata.uid !== serviceaccount.uid)
      throw new TokenError(`service account UID (${account.metadata.uid}) does not match claim (${serviceaccount.uid})`)
    if (this.#isLongGone(account)) throw new TokenError(`service account ${namespace}/${serviceaccount.name} has been deleted`)
    if (secret) this.#checkReference('secret', 'secrets', namespace, secret)
    if (pod) this.#checkReference('pod', 'pods', namespace, pod)
    else if (node) this.#checkReference('node', 'nodes', '', node)
    this.#checkWebhooks(claims)
    const about: Record<string, readonly string[]> = {}
    if (pod) Object.assign(about, { [extra('pod-name')]: [pod.name], [extra('pod-uid')]: [pod.uid] })
    if (claims.jti) about[extra('credential-id')] = [`JTI=${claims.jti}`]
    if (node?.name) about[extra('node-name')] = [node.name]
    if (node?.name && node.uid) about[extra('node-uid')] = [node.uid]
    for (const kind of webhookKinds) {
      const bound = claims[kind.toLowerCase() as Lowercase<typeof kind>]
      if (!bound) continue
      Object.assign(about, {
        [extra(`${kind.toLowerCase()}-name`)]: [bound.name],
        [extra(`${kind.toLowerCase()}-uid`)]: [bound.uid]
      })
      about[`attestation.authentication.kubernetes.io/${attestedGroups}`] = claims.attestedGroups
    }
    const user = userOf(namespace, serviceaccount.name, serviceaccount.uid, about)
    return { user, annotations: this.#staleness(claims) }
  }

  #checkWebhooks(claims: Claims): void {
    const { validatingwebhookconfiguration: validating, mutatingwebhookconfiguration: mutating } = claims
    if (!validating && !mutating) return
    if (!this.#options.webhookTokens)
      throw new TokenError('feature gate "APIServerWebhookAuthenticationToken" is disabled, but token is webhook bound')
    if (claims.attestedGroups.length === 0)
      throw new TokenError(`bound object was a webhook config, but ${goQuote(attestedGroups)} attestation is missing`)
    for (const kind of webhookKinds) {
      const bound = claims[kind.toLowerCase() as Lowercase<typeof kind>]
      if (bound) this.#checkReference(kind, `${kind.toLowerCase()}s`, '', bound, webhookGroup, 'validating')
    }
  }

  /** Reports the use of a token that is valid only because its time was extended (KEP-1205). */
  #staleness({ sub, warnafter }: Claims): Record<string, string> | undefined {
    const now = this.#options.clock.now()
    if (!warnafter) return undefined
    if (now <= warnafter * 1000) {
      this.#options.counts?.valid.add()
      return undefined
    }
    this.#options.counts?.stale.add()
    const seconds = Math.floor(now / 1000) - warnafter
    return { [annotation('stale-token')]: `subject: ${sub}, seconds after warning threshold: ${seconds}` }
  }

  #checkTimes({ exp, nbf, iat }: Claims): void {
    const now = this.#options.clock.now()
    if (exp !== undefined && now - leewayMs > exp * 1000) throw new TokenError('service account token has expired')
    const isFuture = (seconds: number | undefined) => seconds !== undefined && now + leewayMs < seconds * 1000
    if (isFuture(nbf)) throw new TokenError('service account token is not valid yet')
    if (isFuture(iat)) throw new TokenError('service account token is issued in the future')
  }

  /** Throws when the object to which the token is bound is gone. */
  #checkReference(what: string, resource: string, namespace: string, { name, uid }: Reference, group = '', claim = what): void {
    const found = this.#get(resource, namespace, name, group)
    if (!found) throw new TokenError('service account token has been invalidated')
    if (found.metadata.uid !== uid)
      throw new TokenError(`${what} UID (${found.metadata.uid}) does not match service account ${claim} ref claim (${uid})`)
    if (this.#isLongGone(found)) throw new TokenError('service account token has been invalidated')
  }

  #legacy(token: string, claims: Claims): Omit<Authenticated, 'audiences'> {
    const claim = (name: string, called: string) => {
      const value = claims.legacy(name)
      if (value === '') throw new TokenError(`${called} claim is missing`)
      return value
    }
    if (!claims.sub) throw new TokenError('sub claim is missing')
    const namespace = claim('namespace', 'namespace')
    const secretName = claim('secret.name', 'secretName')
    const name = claim('service-account.name', 'serviceAccountName')
    const uid = claim('service-account.uid', 'serviceAccountUID')
    if (claims.sub !== `system:serviceaccount:${namespace}:${name}`) throw new TokenError('sub claim is invalid')
    if (!this.#options.lookup) return { user: userOf(namespace, name, uid) }
    const secret = this.#get<Secret>('secrets', namespace, secretName)
    if (!secret || secret.metadata.deletionTimestamp) throw new TokenError('Token has been invalidated')
    if (secret.data?.token !== Buffer.from(token).toString('base64')) throw new TokenError("Token does not match server's copy")
    const account = this.#get<ServiceAccount>('serviceaccounts', namespace, name)
    if (!account) throw new TokenError(`serviceaccounts ${goQuote(name)} not found`)
    if (account.metadata.deletionTimestamp) throw new TokenError(`ServiceAccount ${namespace}/${name} has been deleted`)
    if (account.metadata.uid !== uid)
      throw new TokenError(`ServiceAccount UID (${account.metadata.uid}) does not match claim (${uid})`)
    this.#noteUse(secret)
    if (secret.metadata.labels?.[invalidSinceLabel]) {
      this.#options.counts?.invalidated.add()
      throw new TokenError(
        `the token in secret ${namespace}/${secretName} for service account ${namespace}/${name} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${invalidSinceLabel}' label from the secret to temporarily allow use of this token`,
        {
          'authentication.k8s.io/legacy-token': claims.sub,
          'authentication.k8s.io/legacy-token-invalidated': `${secretName}/${namespace}`
        }
      )
    }
    const generated = account.secrets?.some(reference => reference.name === secretName) ?? false
    const warning =
      'Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.'
    const user = userOf(namespace, name, uid)
    const { counts } = this.#options
    ;(generated ? counts?.generated : counts?.manual)?.add()
    if (generated)
      return { user, warnings: [warning], annotations: { [annotation('legacy-token-autogenerated-secret')]: secretName } }
    return { user, annotations: { [annotation('legacy-token-manual-secret')]: secretName } }
  }

  /** Labels the Secret once a day. Another server's clock may be a day ahead, so tomorrow's label counts as well. */
  #noteUse(secret: Secret): void {
    const now = this.#options.clock.now()
    const day = (time: number) => new Date(time).toISOString().slice(0, 10)
    const noted = secret.metadata.labels?.[lastUsedLabel]
    if (noted !== day(now) && noted !== day(now + dayMs)) this.#options.markUsed(secret, day(now))
  }

  #get<T extends KubeObject = KubeObject>(resource: string, namespace: string, name: string, group = ''): T | undefined {
    return this.#options.registry.ifServed<T>({ group, resource })?.read(namespace, name)
  }

  #isLongGone({ metadata: { deletionTimestamp } }: KubeObject): boolean {
    return deletionTimestamp != null && Date.parse(deletionTimestamp) < this.#options.clock.now() - leewayMs
  }
}

function userOf(
  namespace: string,
  name: string,
  uid: string | undefined,
  about: Readonly<Record<string, readonly string[]>> = {}
): UserInfo {
  return {
    ...serviceAccountUser(namespace, name),
    uid,
    ...(Object.keys(about).length > 0 ? { extra: about } : {})
  }
}
