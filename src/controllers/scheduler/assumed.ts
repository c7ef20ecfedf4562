import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { Informer } from '../../client/stored-types.js'
import type { Lookup } from './cluster-objects.js'

/** The objects of an informer, and over them what is about to be written: until the informer has a newer state. */
export class Assumed<T extends KubeObject> implements Lookup<T> {
  readonly #informer: Informer<T>
  readonly #assumed = new Map<string, { readonly object: T; readonly over: string | undefined }>()

  constructor(informer: Informer<T>) {
    this.#informer = informer
    informer.on('delete', object => this.restore(object))
  }

  stored(name: string, namespace?: string): T | undefined {
    return this.#informer.get({ metadata: { name, namespace } })
  }

  get(name: string, namespace?: string): T | undefined {
    const stored = this.stored(name, namespace)
    const assumed = this.#assumed.get(`${namespace ?? ''}/${name}`)
    if (!assumed) return stored
    if (stored && stored.metadata.resourceVersion === assumed.over) return assumed.object
    this.restore(assumed.object)
    return stored
  }

  assume(object: T): void {
    const { name, namespace } = object.metadata
    const over = this.stored(name!, namespace)?.metadata.resourceVersion
    this.#assumed.set(`${namespace ?? ''}/${name}`, { object, over })
  }

  restore({ metadata: { name, namespace } }: T): void {
    this.#assumed.delete(`${namespace ?? ''}/${name}`)
  }
}
