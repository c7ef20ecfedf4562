import { may } from '../api/may.js'
import type { Resource } from '../api/types.js'
import { useLoad } from './load.js'

/** Whether one may do something: true until the answer is there. */
export function useMay(
  verb: string,
  kind: Pick<Resource, 'group' | 'name'>,
  subresource: string,
  namespace = '',
  object = ''
): boolean {
  return (
    useLoad(() => may(verb, kind, subresource, namespace, object), [verb, kind, subresource, namespace, object]).value ?? true
  )
}
