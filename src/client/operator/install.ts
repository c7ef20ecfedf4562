/** Applies what an operator needs to work, for tests and for development. */
import type { KubeClient, UntypedObject } from '../types.js'
import type { DefinitionManifest } from './kinds.js'
import type { Operator } from './operator.js'
import { byService, configurationsOf, definitionsOf, type Reach } from './webhook-configurations.js'

export interface Installed {
  /** Removes the configurations of webhooks, which nobody answers any more. */
  remove(): Promise<void>
}

/** Applies the namespace, the definitions and the configurations of webhooks, and waits until the definitions are served. */
export async function install(client: KubeClient, operator: Operator, namespace: string, reach?: Reach): Promise<Installed> {
  const manager = { fieldManager: `${operator.name}-install` }
  await client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, manager)
  const definitions: DefinitionManifest[] = []
  for (const definition of definitionsOf(operator, reach ?? byService(operator, namespace)))
    if (!(await isServedOtherwise(client, definition))) definitions.push(definition)
  await client.apply(definitions, manager)
  const configurations = reach ? await client.apply(configurationsOf(operator, reach), manager) : []
  return { remove: () => removeAll(client, configurations) }
}

async function removeAll(client: KubeClient, objects: readonly UntypedObject[]): Promise<void> {
  for (const { apiVersion, kind, metadata } of objects) {
    const preconditions = { uid: metadata.uid }
    // the server may have stopped before
    await client
      .untyped(apiVersion!, kind!)
      .delete(metadata.name!, { preconditions })
      .catch(() => {})
  }
}

/** Whether a kind is served without a definition: the server that embeds the operator has it in its option `kinds`. */
async function isServedOtherwise(client: KubeClient, { metadata, spec }: DefinitionManifest): Promise<boolean> {
  const present = await client.of('apiextensions.k8s.io/v1', 'CustomResourceDefinition').find(metadata.name)
  if (present) return false
  const [version] = spec.versions as readonly { readonly name: string }[]
  const { status, json } = await client.request({ url: `/apis/${spec.group}/${version!.name}` })
  if (status !== 200) return false
  const { resources } = json() as { readonly resources: readonly { readonly name: string }[] }
  return resources.some(({ name }) => name === spec.names.plural)
}
