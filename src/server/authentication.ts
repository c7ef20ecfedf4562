/** Makes the authenticators of a server, and names their order. */
import type { Secret } from '../apimachinery/api/generated/core-v1.js'
import type { ServerFaults } from '../apiserver/faults/faults.js'
import { ConfigReloadMetrics } from '../apiserver/metrics/config-reload-metrics.js'
import { PrometheusJwtMetrics } from '../apiserver/metrics/jwt-metrics.js'
import type { TokenAuthenticator } from '../auth/authentication/authenticator.js'
import { BootstrapTokenAuthenticator } from '../auth/authentication/bootstrap-token.js'
import { certificateExpiration, serviceAccountTokenCounts, TokenCacheMetrics } from '../auth/authentication/credential-metrics.js'
import { ConfigurationReload } from '../auth/authentication/jwt/configuration-reload.js'
import { JwtAuthenticator } from '../auth/authentication/jwt/jwt-authenticator.js'
import { ServiceAccountAuthenticator } from '../auth/authentication/service-account.js'
import { CachedTokens } from '../auth/authentication/token-cache.js'
import { type Authenticator, createAuthenticator } from '../auth/authentication/union.js'
import { WebhookTokens } from '../auth/authentication/webhook-tokens.js'
import { RemoteWebhook } from '../transport/webhooks/remote-webhook.js'
import type { Part } from '../util/part.js'
import type { Randomness } from '../util/randomness.js'
import { anonymousAccess, apiAudiencesOf, issuersOf } from './defaults.js'
import type { Foundation } from './foundation.js'
import type { ServerOptions } from './options.js'

type Opened = 'clock' | 'features' | 'log' | 'registry' | 'pki' | 'metrics' | 'egress'
type Settings = 'tokens' | 'tokenFile' | 'tokenWebhook' | 'requestHeader' | 'authentication'

interface Needs extends Pick<Foundation, Opened | Settings> {
  readonly random: Randomness
  readonly faults: ServerFaults
  /** The sessions of the console; undefined where there are none. */
  readonly consoleSessions: TokenAuthenticator | undefined
  /** Labels a Secret with the day on which its token was used. */
  markUsed(secret: Secret, day: string): void
}

/**
 * Milliseconds for which a token is not verified again, as in kube-apiserver. The token of an account or Pod that is deleted meanwhile stays valid for that
 * long.
 */
const successMs = 10_000
const webhookTokenMs = 120_000

export function authentication(
  options: ServerOptions,
  needs: Needs
): { readonly authenticator: Authenticator; readonly parts: readonly Part[] } {
  const { clock, features, log, registry, pki, metrics, egress, random, markUsed } = needs
  const { tokens, tokenFile, tokenWebhook, requestHeader, authentication: settings } = needs
  const issuers = issuersOf(options)
  const apiAudiences = apiAudiencesOf(options)
  const lookup = options.serviceAccountLookup ?? true
  const jwtMetrics = new PrometheusJwtMetrics(
    metrics,
    clock,
    features.enabled('StructuredAuthenticationConfigurationJWKSMetrics')
  )
  const jwt = new JwtAuthenticator({ ...settings, apiAudiences, clock, log, metrics: jwtMetrics })
  const webhook =
    tokenWebhook &&
    new RemoteWebhook({
      kubeconfig: tokenWebhook,
      egress: egress.controlplane,
      clock,
      random,
      faults: { faults: needs.faults, name: 'authentication' }
    })
  const version = options.authenticationTokenWebhookVersion ?? 'v1beta1'
  const webhookMs = options.authenticationTokenWebhookCacheTTL ?? webhookTokenMs
  const cached = { clock, cacheErrors: false, metrics: new TokenCacheMetrics(metrics), audiences: apiAudiences }
  const remembered = (one: TokenAuthenticator) => new CachedTokens(one, { ...cached, successMs, failureMs: 0 })
  const authenticator = createAuthenticator({
    requestHeader,
    clientCAs: pki.clientCAs,
    certificateUsed: certificateExpiration(metrics),
    certificateUids: features.enabled('AllowParsingUserUIDFromCertAuth'),
    tokens: [
      ...(needs.consoleSessions ? [needs.consoleSessions] : []),
      ...(tokenFile ? [tokenFile] : []),
      remembered(
        new ServiceAccountAuthenticator({
          registry,
          clock,
          keys: tokens.keys,
          issuers,
          apiAudiences,
          lookup,
          webhookTokens: features.enabled('APIServerWebhookAuthenticationToken'),
          markUsed,
          counts: serviceAccountTokenCounts(metrics)
        })
      ),
      ...(options.enableBootstrapTokenAuth ? [remembered(new BootstrapTokenAuthenticator(registry, clock))] : []),
      // after the service accounts, whose keys are known here: an unknown key makes the issuers be asked
      ...(settings.jwt.length > 0 || settings.file ? [remembered(jwt)] : []),
      ...(webhook
        ? [
            new CachedTokens(new WebhookTokens({ webhook, version, apiAudiences, log }), {
              ...cached,
              successMs: webhookMs,
              failureMs: webhookMs
            })
          ]
        : []),
      ...(options.authenticators ?? [])
    ],
    ...anonymousAccess(options, settings),
    clock
  })
  const parts: Part[] = [
    // an issuer may run on this server, so nothing waits for it
    { name: 'issuers of JSON Web Tokens', start: () => void jwt.start(), stop: () => jwt.stop() },
    { name: 'webhook of tokens', stop: () => webhook?.close() }
  ]
  if (settings.file)
    parts.push(
      new ConfigurationReload({
        settings,
        file: settings.file,
        disallowedIssuers: issuers,
        clock,
        log,
        metrics: new ConfigReloadMetrics(metrics, clock, 'authentication'),
        update: (configured, signal) => jwt.update(configured, signal)
      })
    )
  return { authenticator, parts }
}
