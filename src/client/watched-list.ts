/** A list that comes as the beginning of a watch (KEP-3157): the server need not hold all of it at once. */
import type { KubeObject } from '../apimachinery/api/kube-object.js'
import type { StreamedAnswer } from '../apimachinery/request/injected.js'
import { StatusError } from '../apimachinery/status/status.js'
import type { KubeList } from './types.js'
import { linesOf } from './watch.js'

/** The bookmark after the last object has this annotation. */
const endAnnotation = 'k8s.io/initial-events-end'

/** Reads the objects until their end, and closes the answer. */
export async function watchedList<T extends KubeObject>(
  answer: StreamedAnswer,
  identity: { readonly apiVersion: string; readonly kind: string }
): Promise<KubeList<T>> {
  const items = new Map<string, T>()
  try {
    for await (const line of linesOf(answer)) {
      const { type, object } = JSON.parse(line)
      if (type === 'ERROR') throw new StatusError(object)
      const { namespace = '', name, resourceVersion, annotations } = object.metadata
      if (type === 'BOOKMARK') {
        if (annotations?.[endAnnotation] === 'true') return { items: [...items.values()], metadata: { resourceVersion } }
      } else if (type === 'DELETED') items.delete(`${namespace}/${name}`)
      else items.set(`${namespace}/${name}`, { ...identity, ...object })
    }
  } finally {
    answer.close()
  }
  throw new Error('the server ended a watch before it had sent all objects')
}
