import { CachedTokens } from '../authentication/token-cache.js'
import { WebhookTokens } from '../authentication/webhook-tokens.js'
import type { ServerOptions } from '../options.js'
import type { Clock } from '../util/clock.js'
import type { Logger } from '../util/logger.js'
import type { RemoteWebhook } from '../webhooks/remote-webhook.js'

/** The webhook of --authentication-token-webhook-config-file as an authenticator, with its cache. */
export function cachedWebhookTokens(
  webhook: RemoteWebhook,
  apiAudiences: readonly string[],
  options: ServerOptions,
  { clock, log }: { clock: Clock; log: Logger }
): CachedTokens {
  const version = options.authenticationTokenWebhookVersion ?? 'v1beta1'
  const ttl = options.authenticationTokenWebhookCacheTTL ?? 120_000
  return new CachedTokens(new WebhookTokens({ webhook, version, apiAudiences, log }), {
    clock,
    successMs: ttl,
    failureMs: ttl,
    cacheErrors: false
  })
}
