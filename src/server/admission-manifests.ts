/** Puts the admission plugins' manifests from the server's disk into use, and follows their folders. */
import type { AdmissionSettings } from '../admission/configuration/load-settings.js'
import { followManifests } from '../admission/manifests/followed-manifests.js'
import { ManifestMetrics } from '../admission/manifests/manifest-metrics.js'
import type { PluginWithManifests } from '../admission/manifests/plugin-manifests.js'
import type { AdmissionPolicies } from '../admission/policy/policies.js'
import type { AdmissionWebhooks } from '../admission/webhook/admission-webhooks.js'
import type { FeatureGates } from '../apimachinery/features/feature-gates.js'
import { hashOf, identity } from '../apiserver/metrics/config-reload-metrics.js'
import type { Clock } from '../util/clock.js'
import type { Metrics } from '../util/instruments/metrics.js'
import type { Logger } from '../util/logger.js'
import type { Part } from '../util/part.js'

interface Admission {
  readonly settings: AdmissionSettings
  readonly webhooks: AdmissionWebhooks
  readonly policies: AdmissionPolicies
}

interface Surroundings {
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Logger
  readonly features: FeatureGates
}

/** Returns the parts that follow the folders. */
export function admissionManifests({ settings, webhooks, policies }: Admission, { metrics, ...others }: Surroundings): Part[] {
  if (settings.manifests.length === 0) return []
  const uses: Readonly<Record<PluginWithManifests, (objects: any) => void>> = {
    MutatingAdmissionPolicy: objects => policies.mutating.useManifests(objects),
    MutatingAdmissionWebhook: objects => webhooks.mutating.useManifests(objects.mutatingwebhookconfigurations),
    ValidatingAdmissionPolicy: objects => policies.validating.useManifests(objects),
    ValidatingAdmissionWebhook: objects => webhooks.validating.useManifests(objects.validatingwebhookconfigurations)
  }
  const counts = new ManifestMetrics(metrics, others.clock, hashOf(identity()))
  return settings.manifests.map(loaded =>
    followManifests(loaded, { ...others, gates: others.features, metrics: counts, use: uses[loaded.plugin] })
  )
}
