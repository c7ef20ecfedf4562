import type { WebhookFaults } from '../../transport/webhooks/injected-faults.js'
import { defaultBackoff, RemoteWebhook } from '../../transport/webhooks/remote-webhook.js'
import type { Clock } from '../../util/clock.js'
import type { Part } from '../../util/part.js'
import type { Randomness } from '../../util/randomness.js'
import type { ImagePolicySettings } from '../configuration/image-policy-configuration.js'
import type { AdmissionSettings } from '../configuration/load-settings.js'
import { RecentAnswers } from './recent-answers.js'
import { type ImageReviewSpec, type ImageReviewStatus, readStatus, reviewBody } from './review.js'

/** The webhook that decides about images, and its recent answers. */
export class ImagePolicy implements Part {
  readonly name = 'image policy webhook'
  readonly defaultAllow: boolean
  readonly #settings: ImagePolicySettings
  readonly #webhook: Pick<RemoteWebhook, 'post' | 'close'>
  readonly #answers: RecentAnswers

  constructor(settings: ImagePolicySettings, webhook: Pick<RemoteWebhook, 'post' | 'close'>, clock: Clock) {
    this.#settings = settings
    this.#webhook = webhook
    this.#answers = new RecentAnswers(clock)
    this.defaultAllow = settings.defaultAllow
  }

  /** Rejects with a WebhookCallError. */
  async review(spec: ImageReviewSpec, signal: AbortSignal | undefined): Promise<ImageReviewStatus> {
    const question = JSON.stringify(spec)
    const known = this.#answers.get(question)
    if (known) return known
    const { text } = await this.#webhook.post(reviewBody(spec), signal)
    const status = readStatus(text)
    this.#answers.set(question, status, status.allowed ? this.#settings.allowTTL : this.#settings.denyTTL)
    return status
  }

  async stop(): Promise<void> {
    await this.#webhook.close()
  }
}

export function openImagePolicy(
  { settings, kubeconfig }: NonNullable<AdmissionSettings['imagePolicy']>,
  { clock, random, faults }: { readonly clock: Clock; readonly random: Randomness; readonly faults: WebhookFaults }
): ImagePolicy {
  const backoff = { ...defaultBackoff, initialMs: settings.retryBackoff }
  const webhook = new RemoteWebhook({ kubeconfig, clock, random, backoff, faults: { faults, name: 'image-policy' } })
  return new ImagePolicy(settings, webhook, clock)
}
