/**
 * Credentials of the auth-provider `oidc` of a kubeconfig: an ID token, and a refresh token that gets the next
 * (https://kubernetes.io/docs/reference/access-authn-authz/authentication/#using-kubectl).
 */
import { request } from 'node:https'
import type { Clock } from '../../util/clock.js'
import { UserError } from '../../util/user-error.js'
import { bearer, type Credentials } from './credentials.js'

/** An ID token counts as expired so many milliseconds before it is: client-go's leeway. */
const leewayMs = 10_000
const timeoutMs = 30_000
const maxAnswerBytes = 1024 * 1024

export interface OidcOptions {
  /** Names the user in errors. */
  readonly source: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly idToken: string | undefined
  readonly refreshToken: string | undefined
  /** PEM of the authorities of the issuer's certificate; those that Node.js trusts. */
  readonly ca: string | undefined
  readonly clock: Clock
  /** Keeps the new tokens: many issuers take a refresh token only once. */
  save(tokens: OidcTokens): Promise<void>
}

export interface OidcTokens {
  readonly idToken: string
  readonly refreshToken: string | undefined
}

export class OidcCredentials implements Credentials {
  readonly #options: OidcOptions
  #idToken: string | undefined
  #refreshToken: string | undefined
  #refreshing: Promise<string> | undefined

  constructor(options: OidcOptions) {
    const { source, issuer, clientId } = options
    if (issuer === '') throw new UserError(`${source}: auth-provider.config.idp-issuer-url is missing`)
    if (clientId === '') throw new UserError(`${source}: auth-provider.config.client-id is missing`)
    if (!issuer.startsWith('https://')) throw new UserError(`${source}: idp-issuer-url must begin with https://`)
    this.#options = options
    this.#idToken = options.idToken
    this.#refreshToken = options.refreshToken
  }

  async authorization(): Promise<string> {
    const token = this.#idToken
    return bearer(token && this.#options.clock.now() < expiryOf(token) - leewayMs ? token : await this.#refresh())
  }

  async certificate(): Promise<undefined> {}

  async renew(): Promise<boolean> {
    const before = this.#idToken
    return (await this.#refresh()) !== before
  }

  #refresh(): Promise<string> {
    this.#refreshing ??= this.#next().finally(() => (this.#refreshing = undefined))
    return this.#refreshing
  }

  async #next(): Promise<string> {
    const { source, issuer, clientId, clientSecret, ca, save } = this.#options
    if (!this.#refreshToken)
      throw new UserError(`${source}: the ID token has expired, and there is no refresh-token to get another one`)
    const discovery = await ask(source, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, ca)
    if (typeof discovery.token_endpoint !== 'string') throw new UserError(`${source}: the issuer names no token_endpoint`)
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: this.#refreshToken, client_id: clientId })
    if (clientSecret) form.set('client_secret', clientSecret)
    const answer = await ask(source, discovery.token_endpoint, ca, form.toString())
    if (typeof answer.id_token !== 'string') throw new UserError(`${source}: the issuer returned no id_token`)
    this.#idToken = answer.id_token
    if (typeof answer.refresh_token === 'string') this.#refreshToken = answer.refresh_token
    await save({ idToken: answer.id_token, refreshToken: this.#refreshToken })
    return answer.id_token
  }
}

/** Milliseconds since 1970; 0 for what is no JSON Web Token with `exp`. */
function expiryOf(token: string): number {
  try {
    const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    return typeof exp === 'number' ? exp * 1000 : 0
  } catch {
    return 0
  }
}

/** Answers of issuers are not shown in errors, since they may hold tokens. */
function ask(source: string, url: string, ca: string | undefined, form?: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new UserError(`${source}: ${url}: ${why}`))
    if (!url.startsWith('https://')) return fail('the URL must begin with https://')
    const asked = request(
      url,
      {
        ca,
        signal: AbortSignal.timeout(timeoutMs),
        ...(form === undefined
          ? {}
          : { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': form.length } })
      },
      answer => {
        const chunks: Buffer[] = []
        let size = 0
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > maxAnswerBytes) answer.destroy(new Error('the answer is too large'))
          else chunks.push(chunk)
        })
        answer.on('error', error => fail(error.message))
        answer.on('end', () => {
          if (answer.statusCode !== 200) return fail(`the issuer answered ${answer.statusCode}`)
          try {
            resolve(JSON.parse(Buffer.concat(chunks).toString()))
          } catch {
            fail('the answer is no JSON')
          }
        })
      }
    )
    asked.on('error', error => fail(error.message))
    asked.end(form)
  })
}
