/** Makes the admission chain of a server: its plugins, and the policies and webhooks that some of them ask. */
import { AdmissionChain } from '../admission/admission.js'
import { AdmissionMetrics } from '../admission/admission-metrics.js'
import { openImagePolicy } from '../admission/image-policy/image-policy.js'
import { admissionPlugins } from '../admission/plugin-list.js'
import { AdmissionPolicies } from '../admission/policy/policies.js'
import { checkScopes } from '../admission/scope.js'
import { AdmissionWebhooks } from '../admission/webhook/admission-webhooks.js'
import { WebhookMetrics } from '../admission/webhook/webhook-metrics.js'
import type { ServerFaults } from '../apiserver/faults/faults.js'
import type { Startup } from '../controllers/startup.js'
import { WebhookClient } from '../transport/webhooks/client.js'
import type { ResolveService } from '../transport/webhooks/service-overrides.js'
import type { Part } from '../util/part.js'
import type { Randomness } from '../util/randomness.js'
import { admissionManifests } from './admission-manifests.js'
import { builtinGroups } from './builtin-resources.js'
import type { Foundation } from './foundation.js'
import type { ServerOptions } from './options.js'

interface Needs extends Pick<Foundation, 'admission' | 'registry' | 'features' | 'clock' | 'log' | 'metrics' | 'egress'> {
  readonly random: Randomness
  readonly resolve: ResolveService
  readonly startup: Startup
  readonly faults: ServerFaults
}

export interface ServerAdmission {
  readonly chain: AdmissionChain
  /** The webhook that the plugin ImagePolicyWebhook asks, as parts to start. */
  readonly imagePolicy: readonly Part[]
  /** The policies and the configurations of webhooks, as parts to start. */
  readonly configurations: readonly Part[]
}

/** Throws a UserError for plugins that do not exist, and for scopes of plugins that name no resource. */
export function serverAdmission(options: ServerOptions, needs: Needs): ServerAdmission {
  const { admission: settings, registry, features, clock, log, metrics, egress, random, resolve, startup, faults } = needs
  const counts = new AdmissionMetrics(metrics)
  const balances = features.enabled('WebhookRoundTripLoadBalancing')
  const clients = {
    mutating: new WebhookClient(resolve, settings.mutatingCredentials, egress, faults, balances),
    validating: new WebhookClient(resolve, settings.validatingCredentials, egress, faults, balances)
  }
  const webhooks = new AdmissionWebhooks(registry, clients, new WebhookMetrics(metrics), counts)
  const imagePolicy = settings.imagePolicy && openImagePolicy(settings.imagePolicy, { clock, random, faults })
  const policies = new AdmissionPolicies(registry, counts)
  const manifests = admissionManifests({ settings, webhooks, policies }, { metrics, clock, log, features })
  // a group with a dot may be that of custom resources, which come and go
  checkScopes(options.admissionPlugins ?? [], ({ group, resource }) =>
    group === '' ? registry.has('', resource) : builtinGroups.has(group) || group.includes('.')
  )
  const tolerations = {
    notReady: options.defaultNotReadyTolerationSeconds ?? 300,
    unreachable: options.defaultUnreachableTolerationSeconds ?? 300
  }
  const plugins = admissionPlugins({ metrics: counts, policies, webhooks, clock, settings, imagePolicy, tolerations }, options)
  return {
    chain: new AdmissionChain(plugins, counts),
    imagePolicy: imagePolicy ? [imagePolicy] : [],
    configurations: [webhooks, ...manifests, startup.during(policies, 'start-apiserver-admission-initializer')]
  }
}
