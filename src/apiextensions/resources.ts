/** Makes the resources that serve the versions of one definition. */
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  JSONSchemaProps
} from '../apimachinery/api/generated/apiextensions-v1.js'
import { Resource } from '../registry/resource.js'
import type { Store } from '../storage/contract.js'
import type { WebhookClient } from '../transport/webhooks/client.js'
import type { Logger } from '../util/logger.js'
import { compareVersions } from '../util/version-order.js'
import { converted, convertedViews, valueConverter } from './conversion/by-webhook.js'
import { ConvertedStore } from './conversion/converted-store.js'
import { unconverted, unconvertedView } from './conversion/none.js'
import { webhookConverter } from './conversion/webhook.js'
import { customKind, type DefinitionLife, type StrategyHooks } from './custom-kind.js'
import type { GroupVersionKind } from './custom-type.js'
import { DefinedVersion } from './defined-version.js'
import type { DefinitionMetrics } from './definition-metrics.js'

export interface ResourceParts {
  readonly store: Store
  /** Whether objects are stored as CBOR, as kube-apiserver does with the feature gate CBORServingAndStorage. */
  readonly storesCbor?: boolean
  readonly now: () => number
  readonly uuid: () => string
  readonly webhooks: WebhookClient
  readonly metrics: DefinitionMetrics
  /** Gets an error for each stored object that cannot be read. */
  readonly log?: Logger
  readonly life: DefinitionLife
  /** Returns the schema of a version. Called when the schema is first needed. */
  readonly schemaOf: (version: string) => JSONSchemaProps
  /** Selects the versions to make resources for. Default: those that are served. */
  readonly wanted?: ((version: CustomResourceDefinitionVersion) => boolean) | undefined
  readonly hooks?: StrategyHooks | undefined
  /** The revision at which the definition was created, if known. */
  readonly since?: number | undefined
}

/** Returns the resources with the newest version first. */
export function resourcesOf(definition: CustomResourceDefinition, parts: ResourceParts): Resource[] {
  const { spec, status } = definition
  const { group } = spec
  const { kind } = status.acceptedNames
  const { store, now, life, hooks, since, schemaOf, wanted = version => version.served } = parts
  const versions = new Map(
    spec.versions!.map(({ name }) => [name, definedVersion({ group, version: name, kind }, schemaOf, parts)])
  )
  const storage = versions.get(spec.versions!.find(v => v.storage)!.name)!
  const byWebhook =
    spec.conversion?.strategy === 'Webhook' ? { group, versions, convert: webhookConverter(definition, parts) } : undefined
  return spec
    .versions!.filter(wanted)
    .sort((a, b) => compareVersions(a.name, b.name))
    .map(version => {
      const own = versions.get(version.name)!
      const custom = customKind(definition, version, { version: own, life, hooks })
      const common = {
        kind: custom,
        versions: custom.versions,
        types: typesOf(own, parts.log),
        now,
        since
      }
      if (!byWebhook) {
        const storedForm = unconverted(group, own, storage, versions)
        return new Resource({ ...common, store, storedForm, views: unconvertedView(group, own, versions) })
      }
      return new Resource({
        ...common,
        store: new ConvertedStore(store, valueConverter(byWebhook, own, storage)),
        storedForm: converted(group, own, storage),
        views: convertedViews(byWebhook, own)
      })
    })
}

// Functions of their own: what is made within `resourcesOf` would keep all that any closure there refers to, and so the definition.

function definedVersion(gvk: GroupVersionKind, schemaOf: ResourceParts['schemaOf'], { metrics, storesCbor }: ResourceParts) {
  return new DefinedVersion(gvk, () => schemaOf(gvk.version), metrics.rules, storesCbor)
}

const typesOf = (own: DefinedVersion, log: Logger | undefined) => ({ type: () => own.type, ...(log ? { log } : {}) })
