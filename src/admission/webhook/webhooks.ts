/**
 * The webhooks of all configurations of one kind, in the order in which they are called. They follow the watch cache, so that a
 * configuration takes effect as soon as its write is acknowledged.
 */
import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration
} from '../../apimachinery/api/generated/admissionregistration-v1.js'
import type { Resource } from '../../registry/resource.js'
import type { WatchHandle } from '../../storage/contract.js'
import { follow } from '../../storage/follow.js'
import { compareUtf8 } from '../../util/go-format.js'
import type { AdmissionAttributes } from '../admission.js'
import { isReview } from '../matching/reviews.js'
import { couldMatch } from '../matching/rules.js'
import { equivalentsOf } from '../matching/served-resource.js'
import { ConfiguredWebhook } from './configured-webhook.js'

type Configuration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration

const none: readonly ConfiguredWebhook[] = []
const exemptGroup = 'admissionregistration.k8s.io'

export class Webhooks {
  readonly #byConfiguration = new Map<string, readonly ConfiguredWebhook[]>()
  /** The webhooks of manifests, which are called before the others. */
  #static = none
  /** The webhooks that could match each resource: discarded when webhooks or resources change. */
  #byResource = new WeakMap<Resource, readonly ConfiguredWebhook[]>()
  #generation = -1
  #handle: WatchHandle | undefined

  /** Follows the watch cache of the configurations, which must be loaded. */
  follow(configurations: Resource): void {
    const set = (name: string, configuration: Configuration) => {
      const webhooks = compiled(configuration, name)
      if (webhooks.length > 0) this.#byConfiguration.set(name, webhooks)
      else this.#byConfiguration.delete(name)
    }
    this.#handle = follow(configurations.cache, {
      changed: ({ current, previous }) => {
        if (current) set(current.name, configurations.parse(current))
        else if (previous) this.#byConfiguration.delete(previous.name)
      },
      settled: () => {
        this.#generation = -1
      }
    })
  }

  /** Replaces the configurations of manifests, which are sorted by name. */
  useManifests(configurations: readonly Configuration[]): void {
    this.#static = configurations.flatMap(it => compiled(it, `manifest/${it.metadata.name}`))
    this.#generation = -1
  }

  close(): void {
    this.#handle?.close()
  }

  /**
   * Returns the webhooks that could match a request. For requests about the configuration of admission itself, these are only
   * those of manifests; for reviews there are none.
   */
  about({ resource, context }: AdmissionAttributes): readonly ConfiguredWebhook[] {
    if (this.#byConfiguration.size === 0 && this.#static.length === 0) return none
    const { registry, features } = context.services
    if (this.#generation !== registry.generation) {
      this.#byResource = new WeakMap()
      this.#generation = registry.generation
    }
    let webhooks = this.#byResource.get(resource)
    if (!webhooks) {
      const equivalents = equivalentsOf(registry, resource)
      const could = ({ matcher: { rules } }: ConfiguredWebhook) => couldMatch(rules, equivalents)
      const isExcluded = isReview(resource) && features.enabled('ExcludeAdmissionWebhookVirtualResources')
      webhooks = isExcluded ? none : (resource.group === exemptGroup ? this.#static : this.#ordered()).filter(could)
      this.#byResource.set(resource, webhooks)
    }
    return webhooks
  }

  #ordered(): ConfiguredWebhook[] {
    const others = [...this.#byConfiguration].sort(([a], [b]) => compareUtf8(a, b)).flatMap(([, webhooks]) => webhooks)
    const all = [...this.#static, ...others]
    for (const [place, webhook] of all.entries()) webhook.place = place
    return all
  }
}

/** Prepares the webhooks of a configuration. `id` identifies it among all configurations. */
function compiled({ metadata, webhooks = [] }: Configuration, id: string): ConfiguredWebhook[] {
  return webhooks.map((hook, i) => new ConfiguredWebhook(metadata.name!, hook, `${id}/${hook.name}/${i}`))
}
