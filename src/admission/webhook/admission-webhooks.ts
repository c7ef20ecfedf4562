/** The admission webhooks of one server, and the client that calls them. */

import type { Registry } from '../../registry/registry.js'
import type { WebhookClient } from '../../transport/webhooks/client.js'
import type { Part } from '../../util/part.js'
import type { AdmissionMetrics } from '../admission-metrics.js'
import type { WebhookMetrics } from './webhook-metrics.js'
import { Webhooks } from './webhooks.js'

const group = 'admissionregistration.k8s.io'

export class AdmissionWebhooks implements Part {
  readonly name = 'admission webhooks'
  readonly #registry: Registry
  readonly mutating = new Webhooks()
  readonly validating = new Webhooks()
  /** The client of each plugin, which has credentials of its own. */
  readonly clients: Readonly<Record<'mutating' | 'validating', WebhookClient>>
  readonly metrics: WebhookMetrics
  readonly admissionMetrics: AdmissionMetrics

  constructor(
    registry: Registry,
    clients: AdmissionWebhooks['clients'],
    metrics: WebhookMetrics,
    admissionMetrics: AdmissionMetrics
  ) {
    this.#registry = registry
    this.clients = clients
    this.metrics = metrics
    this.admissionMetrics = admissionMetrics
  }

  /** Follows the watch caches of the configurations, which must be loaded. */
  start(): void {
    const registry = this.#registry
    const kinds = { mutatingwebhookconfigurations: this.mutating, validatingwebhookconfigurations: this.validating }
    for (const [resource, webhooks] of Object.entries(kinds))
      if (registry.has(group, resource)) webhooks.follow(registry.resource(group, resource))
  }

  stop(): void {
    this.mutating.close()
    this.validating.close()
    this.clients.mutating.close()
    this.clients.validating.close()
  }
}
