/** Applies what an operator needs to work, for tests and for development. */
import type { KubeClient } from '../types.js'
import { type DefinitionManifest, definitionOf } from './kinds.js'
import type { Operator } from './operator.js'

/** Applies the namespace and the definitions, and waits until they are served. */
export async function install(client: KubeClient, operator: Operator, namespace: string): Promise<void> {
  const manager = { fieldManager: `${operator.name}-install` }
  await client.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, manager)
  const definitions: DefinitionManifest[] = []
  for (const kind of operator.kinds ?? []) {
    const definition = definitionOf(kind)
    if (!(await isServedOtherwise(client, definition))) definitions.push(definition)
  }
  await client.apply(definitions, manager)
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
