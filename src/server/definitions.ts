/** Makes the parts that serve kinds which are not built in: the embedding program's own kinds, and custom resources. */
import { CustomResources } from '../apiextensions/custom-resources.js'
import { DefinitionMetrics } from '../apiextensions/definition-metrics.js'
import { OwnKinds } from '../apiextensions/own-kinds.js'
import type { Startup } from '../controllers/startup.js'
import type { WebhookClient } from '../transport/webhooks/client.js'
import type { Part } from '../util/part.js'
import type { Randomness } from '../util/randomness.js'
import { builtinGroups } from './builtin-resources.js'
import { storageBackendOf } from './defaults.js'
import type { Foundation } from './foundation.js'
import type { ServerOptions } from './options.js'

interface Needs extends Pick<Foundation, 'registry' | 'store' | 'clock' | 'log' | 'metrics'> {
  readonly random: Randomness
  /** Converts objects between versions. */
  readonly webhooks: WebhookClient
  readonly servesCbor: boolean
  readonly startup: Startup
}

export interface ServerDefinitions {
  readonly customResources: CustomResources
  readonly parts: readonly Part[]
}

export function serverDefinitions(options: ServerOptions, needs: Needs): ServerDefinitions {
  const { registry, store, clock, log, metrics, random, webhooks, servesCbor, startup } = needs
  const parts = {
    registry,
    store,
    // nobody else reads an embedded store
    storesCbor: servesCbor && storageBackendOf(options) === 'etcd3',
    now: () => clock.now(),
    uuid: () => random.uuid(),
    webhooks,
    metrics: new DefinitionMetrics(metrics),
    builtinGroups,
    log
  }
  const ownKinds = new OwnKinds(options.kinds ?? [], parts)
  const customResources = new CustomResources(parts)
  return { customResources, parts: [ownKinds, startup.during(customResources, 'crd-informer-synced')] }
}
