import { findResource } from '../../api/discovery.js'
import { collectionPath } from '../../api/paths.js'
import { request } from '../../api/request.js'
import type { KubeObject } from '../../api/types.js'
import { namespace } from '../../preferences.js'
import { useLoad } from '../../ui/load.js'

const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'

/** Chooses the namespace. Who may not list namespaces writes its name. */
export function NamespaceField() {
  const { value, error } = useLoad(readNamespaces, [])
  const chosen = namespace.value
  const set = (event: { currentTarget: { value: string } }) => {
    namespace.value = event.currentTarget.value.trim()
  }
  if (error)
    return (
      <input
        class="selector"
        aria-label="Namespace"
        placeholder="Namespace (empty: all)"
        value={chosen}
        spellcheck={false}
        onChange={set}
      />
    )
  const names = value ?? []
  return (
    <select class="selector" aria-label="Namespace" value={chosen} onChange={set}>
      <option value="">All namespaces</option>
      {chosen && !names.includes(chosen) && <option>{chosen}</option>}
      {names.map(name => (
        <option key={name}>{name}</option>
      ))}
    </select>
  )
}

async function readNamespaces(signal: AbortSignal): Promise<string[]> {
  const resource = findResource('', 'namespaces') ?? { group: '', version: 'v1', name: 'namespaces', namespaced: false }
  const { items } = await request<{ items: KubeObject[] }>(collectionPath(resource), { accept, signal })
  return items.map(({ metadata }) => metadata.name)
}
