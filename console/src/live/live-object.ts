import { signal } from '@preact/signals'
import { collectionPath, objectPath } from '../api/paths.js'
import { request } from '../api/request.js'
import type { KubeObject, Resource } from '../api/types.js'
import { type LiveState, listAndWatch } from './list-watch.js'

interface ObjectList {
  readonly metadata: { readonly resourceVersion?: string }
  readonly items?: readonly KubeObject[]
  // an event of a watch is the object itself
  readonly kind?: string
}

/** One object, kept up to date by a watch. */
export class LiveObject {
  /** The last state; undefined before there is one, and null when the object is not there. */
  readonly object = signal<KubeObject | null | undefined>(undefined)
  readonly state = signal<LiveState>({ is: 'loading' })
  readonly #stop = new AbortController()

  start(resource: Resource, namespace: string, name: string): void {
    const identity = {
      apiVersion: resource.group ? `${resource.group}/${resource.version}` : resource.version,
      kind: resource.kind
    }
    const source = {
      path: collectionPath(resource, namespace),
      accept: 'application/json',
      query: { fieldSelector: `metadata.name=${name}` },
      canWatch: resource.verbs.includes('watch'),
      onRestart: () => {},
      onPage: (list: ObjectList) => {
        const [first] = list.items ?? []
        // items of built-in kinds do not say what they are
        this.object.value = first ? { ...first, ...identity } : null
      },
      onEvent: ({ type, object }: { type: string; object: ObjectList }) => {
        this.object.value = type === 'DELETED' ? null : (object as unknown as KubeObject)
      },
      onState: (state: LiveState) => {
        this.state.value = state
      }
    }
    void listAndWatch<ObjectList>(source, this.#stop.signal).then(() => this.#getOnce(objectPath(resource, namespace, name)))
  }

  /** Who may not list may still get. */
  async #getOnce(path: string): Promise<void> {
    const state = this.state.value
    if (state.is !== 'failed' || state.error.code !== 403) return
    try {
      this.object.value = await request<KubeObject>(path, { signal: this.#stop.signal })
      this.state.value = { is: 'live' }
    } catch {
      // the error of the list says what is missing
    }
  }

  stop(): void {
    this.#stop.abort()
  }
}
