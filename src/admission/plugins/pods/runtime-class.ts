import type { Pod, Toleration } from '../../../apimachinery/api/generated/core-v1.js'
import type { RuntimeClass as RuntimeClassObject } from '../../../apimachinery/api/generated/node-v1.js'
import * as refs from '../../../apimachinery/api/resources.js'
import { given } from '../../../apimachinery/schema/given.js'
import { forbidden, plainError } from '../../../apimachinery/status/status.js'
import { isPathSegmentName } from '../../../apimachinery/validation/names.js'
import { goQuote } from '../../../util/go-format.js'
import { cloneJson, equalJson } from '../../../util/json.js'
import type { AdmissionAttributes, BuiltinPlugin } from '../../admission.js'
import { nameInErrors } from '../../name-in-errors.js'
import { unusableName } from './service-account.js'

const pods = { group: '', resource: 'pods' }

/** Sets the overhead, node selector and tolerations of a Pod's runtime class (https://kubernetes.io/docs/concepts/containers/runtime-class/). */
export const runtimeClass: BuiltinPlugin = {
  name: 'RuntimeClass',
  operations: ['CREATE'],
  resources: ['pods'],
  admit(attributes) {
    const pod: Pod = attributes.object
    const found = findClass(attributes)
    if (!found) return
    const reject = (why: string) => forbidden(pods, nameInErrors(attributes), why)
    const overhead = found.overhead?.podFixed
    if (overhead && !pod.spec.overhead) pod.spec.overhead = cloneJson(overhead)
    else if (overhead && !equalJson(overhead, pod.spec.overhead))
      throw reject("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead")
    const { nodeSelector, tolerations } = found.scheduling ?? {}
    for (const [key, value] of Object.entries(nodeSelector ?? {})) {
      const own = pod.spec.nodeSelector
      if (own && Object.hasOwn(own, key) && own[key] !== value) {
        throw reject(
          `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own[key]}`
        )
      }
    }
    if (nodeSelector) pod.spec.nodeSelector = { ...pod.spec.nodeSelector, ...nodeSelector }
    const present = pod.spec.tolerations ?? []
    const keyOf = ({ key, operator, value, effect, tolerationSeconds }: Toleration) =>
      JSON.stringify([key, operator, value, effect, tolerationSeconds])
    const known = new Set(present.map(keyOf))
    const added = (tolerations ?? []).filter(toleration => !known.has(keyOf(toleration)))
    if (added.length > 0) pod.spec.tolerations = [...present, ...cloneJson(added)]
  },
  validate(attributes) {
    const pod: Pod = attributes.object
    if (given(pod.spec, 'overhead') && !findClass(attributes)?.overhead) {
      throw forbidden(
        pods,
        nameInErrors(attributes),
        'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead'
      )
    }
  }
}

function findClass(attributes: AdmissionAttributes): RuntimeClassObject | undefined {
  const { object, context } = attributes
  const wanted = (object as Pod).spec.runtimeClassName
  if (wanted === undefined) return undefined
  // no client asks for an object without a name
  if (wanted === '') throw plainError('resource name may not be empty')
  const resource = context.services.registry.ifServed(refs.runtimeClasses)
  const wrong = isPathSegmentName(wanted)
  if (wrong.length > 0) throw plainError(unusableName(wanted, wrong))
  const found = resource?.get('', wanted)
  if (!found) throw forbidden(pods, nameInErrors(attributes), `pod rejected: RuntimeClass ${goQuote(wanted)} not found`)
  return resource!.peek(found)
}
