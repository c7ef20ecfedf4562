/**
 * Finds the objects that belong to a node: its Pods, and the objects that the Pods need. The Pods come from the index that lists
 * by kubelets use as well. Remembers only the references of a Pod, from the first question about the Pod on.
 */
import type { PersistentVolume, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import type { VolumeAttachment } from '../../../apimachinery/api/generated/storage-v1.js'
import { type PodReferences, podReferences } from '../../../apimachinery/api/pod-references.js'
import { nodeSecrets } from '../../../apimachinery/api/volume-secrets.js'
import type { Registry } from '../../../registry/registry.js'
import type { Resource } from '../../../registry/resource.js'
import type { CachedObject } from '../../../storage/cached-object.js'

const mirror = 'kubernetes.io/config.mirror'
const nothing: PodReferences = { serviceAccounts: [], secrets: [], configMaps: [], claims: [], resourceClaims: [] }

export class NodeRelations {
  readonly #registry: Registry
  readonly #references = new WeakMap<CachedObject, PodReferences>()

  constructor(registry: Registry) {
    this.#registry = registry
  }

  pod(node: string, namespace: string, name: string): boolean {
    return this.#find('', 'pods')?.get(namespace, name)?.fields?.['spec.nodeName'] === node
  }

  resourceSlice(node: string, _namespace: string, name: string): boolean {
    return this.#find('resource.k8s.io', 'resourceslices')?.get('', name)?.fields?.['spec.nodeName'] === node
  }

  podCertificateRequest(node: string, namespace: string, name: string): boolean {
    return this.#find('certificates.k8s.io', 'podcertificaterequests')?.get(namespace, name)?.fields?.['spec.nodeName'] === node
  }

  volumeAttachment(node: string, _namespace: string, name: string): boolean {
    return this.#peek<VolumeAttachment>('storage.k8s.io', 'volumeattachments', name)?.spec.nodeName === node
  }

  configMap(node: string, namespace: string, name: string): boolean {
    return this.#isNamed('configMaps', node, namespace, name)
  }

  claim(node: string, namespace: string, name: string): boolean {
    return this.#isNamed('claims', node, namespace, name)
  }

  resourceClaim(node: string, namespace: string, name: string): boolean {
    return this.#isNamed('resourceClaims', node, namespace, name)
  }

  serviceAccount(node: string, namespace: string, name: string): boolean {
    return this.#isNamed('serviceAccounts', node, namespace, name)
  }

  secret(node: string, namespace: string, name: string): boolean {
    return this.#isNamed('secrets', node, namespace, name) || this.#isNeededByVolume(node, namespace, name)
  }

  volume(node: string, _namespace: string, name: string): boolean {
    const volume = this.#peek<PersistentVolume>('', 'persistentvolumes', name)
    return volume !== undefined && this.#isMounted(node, volume)
  }

  #isMounted(node: string, { spec: { claimRef } }: PersistentVolume): boolean {
    return claimRef !== undefined && this.claim(node, claimRef.namespace ?? '', claimRef.name ?? '')
  }

  #isNeededByVolume(node: string, namespace: string, name: string): boolean {
    const volumes = this.#find('', 'persistentvolumes')
    if (!volumes) return false
    const text = JSON.stringify(name)
    for (const object of volumes.cache.range('')) {
      // looking for the name in the bytes is much cheaper than parsing every volume
      if (!object.glance().includes(text)) continue
      const volume: PersistentVolume = volumes.parse(object)
      const needed = nodeSecrets(volume).some(secret => secret.name === name && secret.namespace === namespace)
      if (needed && this.#isMounted(node, volume)) return true
    }
    return false
  }

  #isNamed(by: keyof PodReferences, node: string, namespace: string, name: string): boolean {
    const pods = this.#find('', 'pods')
    if (!pods || namespace === '') return false
    return pods.cache
      .by('fields', 'spec.nodeName', node, `${namespace}/`)
      .some(pod => this.#referencesOf(pods, pod)[by].includes(name))
  }

  #referencesOf(pods: Resource, object: CachedObject): PodReferences {
    let references = this.#references.get(object)
    if (!references) {
      const pod: Pod = pods.parse(object)
      // a kubelet creates mirror Pods itself, so they must not give it access to anything
      references = pod.metadata.annotations?.[mirror] === undefined ? podReferences(pod) : nothing
      this.#references.set(object, references)
    }
    return references
  }

  #peek<T>(group: string, resource: string, name: string): T | undefined {
    const found = this.#find(group, resource)
    const object = found?.get('', name)
    return object && found!.peek(object)
  }

  #find(group: string, resource: string): Resource | undefined {
    return this.#registry.has(group, resource) ? this.#registry.resource(group, resource) : undefined
  }
}
