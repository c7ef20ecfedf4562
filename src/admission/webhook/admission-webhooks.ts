/** What one server knows of admission webhooks: which there are, and how they are called. */
import type { WebhookMetrics } from '../../metrics/webhook-metrics.js'
import type { Registry } from '../../registry/registry.js'
import type { WebhookClient } from '../../webhooks/client.js'
import { Webhooks } from './webhooks.js'

const group = 'admissionregistration.k8s.io'

export class AdmissionWebhooks {
  readonly mutating = new Webhooks()
  readonly validating = new Webhooks()
  readonly client: WebhookClient
  readonly metrics: WebhookMetrics

  constructor(client: WebhookClient, metrics: WebhookMetrics) {
    this.client = client
    this.metrics = metrics
  }

  /** The caches of the registry's resources have to be loaded. */
  follow(registry: Registry): void {
    const kinds = { mutatingwebhookconfigurations: this.mutating, validatingwebhookconfigurations: this.validating }
    for (const [resource, webhooks] of Object.entries(kinds))
      if (registry.has(group, resource)) webhooks.follow(registry.resource(group, resource))
  }

  close(): void {
    this.mutating.close()
    this.validating.close()
  }
}
