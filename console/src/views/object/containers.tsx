import type { KubeObject } from '../../api/types.js'

interface PodSpec {
  readonly containers?: readonly { readonly name: string }[]
  readonly initContainers?: readonly { readonly name: string }[]
  readonly ephemeralContainers?: readonly { readonly name: string }[]
}

/** The names of a Pod's containers: the ordinary ones first. */
export function containersOf(pod: KubeObject): string[] {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = (pod as { spec?: PodSpec }).spec ?? {}
  return [...containers, ...ephemeralContainers, ...initContainers].map(({ name }) => name)
}

export function ContainerField({ pod, value, onChange }: { pod: KubeObject; value: string; onChange(name: string): void }) {
  return (
    <select class="selector" aria-label="Container" value={value} onChange={event => onChange(event.currentTarget.value)}>
      {containersOf(pod).map(name => (
        <option key={name}>{name}</option>
      ))}
    </select>
  )
}
