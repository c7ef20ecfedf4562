/** One informer for each kind, which many share: see `sharedInformers`. */
import type { DeclaredKind, KubeObject } from '../apimachinery/api/kube-object.js'
import { refOf } from './kind-names.js'
import type { BuiltinKinds } from './typed/generated/kinds.js'
import type { Informer, KindRef, KubeClient, UntypedObject } from './types.js'

/**
 * One informer for each kind, over all namespaces: for programs of several controllers, as client-go's SharedInformerFactory is.
 *
 * @example
 * const informers = sharedInformers(server.client())
 * const pods = informers.of('v1', 'Pod')
 * await informers.synced()
 * informers.stop()
 */
export interface SharedInformers {
  of<V extends keyof BuiltinKinds, K extends keyof BuiltinKinds[V] & string>(apiVersion: V, kind: K): Informer<BuiltinKinds[V][K]>
  of<T extends KubeObject = UntypedObject>(kind: DeclaredKind<T> | KindRef<T>): Informer<T>
  /** Resolves when all informers that were asked for so far have their objects. */
  synced(): Promise<void>
  stop(): void
}

/**
 * Makes informers on demand, one for each kind. They run until they are stopped. `transform` makes what they keep of each object.
 *
 * @example
 * const informers = sharedInformers(server.client(), { transform: withoutManagedFields })
 * informers.of('v1', 'Pod').on('add', pod => console.log(pod.metadata.name))
 */
export function sharedInformers(
  client: KubeClient,
  { transform }: { readonly transform?: <T extends KubeObject>(object: T) => T } = {}
): SharedInformers {
  const informers = new Map<string, Informer<any>>()
  return {
    of(kind: string | DeclaredKind | KindRef, name = ''): Informer<any> {
      const ref = typeof kind === 'string' ? { apiVersion: kind, kind: name } : refOf(kind)
      const key = `${ref.apiVersion} ${ref.kind}`
      let informer = informers.get(key)
      if (!informer) informers.set(key, (informer = client.of(ref).informer({ transform })))
      return informer
    },
    async synced() {
      await Promise.all([...informers.values()].map(informer => informer.synced))
    },
    stop() {
      for (const informer of informers.values()) informer.stop()
    }
  }
}
