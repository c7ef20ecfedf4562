/** Reports the work of a server's start under kube-apiserver's names, so that health checks show what is unfinished. */
import * as refs from '../apimachinery/api/resources.js'
import { type Hook, Startup } from '../controllers/startup.js'
import type { Registry } from '../registry/registry.js'
import type { Part } from '../util/part.js'
import { prioritizes } from './flow-control.js'
import type { ServerOptions } from './options.js'

export interface ServerStartup {
  readonly startup: Startup
  /** Reports what the server does at its start by reading the caches. */
  readonly caches: Part
}

export function serverStartup(options: ServerOptions, registry: Registry): ServerStartup {
  const startup = new Startup()
  // the encryption file is in use before any part starts
  if (options.encryptionProviderConfigAutomaticReload) startup.done('start-encryption-provider-config-automatic-reload')
  return { startup, caches: startup.during({ name: 'caches' }, ...cacheHooks(options, registry)) }
}

function cacheHooks(options: ServerOptions, registry: Registry): Hook[] {
  return [
    'generic-apiserver-start-informers',
    'storage-object-count-tracker-hook',
    'storage-readiness',
    ...(registry.serves(refs.customResourceDefinitions) ? (['start-apiextensions-informers'] as const) : []),
    ...(prioritizes(options) && registry.serves(refs.flowSchemas) ? (['priority-and-fairness-filter'] as const) : [])
  ]
}
