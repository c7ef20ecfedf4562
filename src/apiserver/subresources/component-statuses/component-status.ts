/** Probes the components of a control plane besides its API server, at their default ports. */
import type { ComponentCondition } from '../../../apimachinery/api/generated/core-v1.js'
import type { Services } from '../../../registry/services.js'
import { askHealth, timeoutMs } from './probes.js'

const probes: Readonly<Record<string, (services: Services) => Promise<ComponentCondition>>> = {
  'controller-manager': () => askHealth(10257),
  scheduler: () => askHealth(10259),
  'etcd-0': askStore
}

/** Returns the ComponentStatus of a component. `name` is one of the kind's names. */
export async function componentStatusOf(name: string, services: Services): Promise<object> {
  return { metadata: { name }, conditions: [await probes[name]!(services)] }
}

async function askStore({ store }: Services): Promise<ComponentCondition> {
  try {
    await store.health(timeoutMs)
    return { type: 'Healthy', status: 'True', message: 'ok' }
  } catch (error) {
    return { type: 'Healthy', status: 'False', error: error instanceof Error ? error.message : String(error) }
  }
}
