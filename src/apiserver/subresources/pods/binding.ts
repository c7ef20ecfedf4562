/** Binding: the scheduler assigns a Pod to a node (https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/binding-v1/). */

import type { Binding, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import * as refs from '../../../apimachinery/api/resources.js'
import { badRequest, conflict, plainError, success } from '../../../apimachinery/status/status.js'
import { FieldErrors } from '../../../apimachinery/validation/field.js'
import { plainText } from '../../../apimachinery/validation/go-value.js'
import { isDns1123Subdomain } from '../../../apimachinery/validation/names.js'
import { setPodCondition } from '../../../kinds/core/pod/condition.js'
import { checkKeyName } from '../../../registry/key-name.js'
import { noAdmission } from '../../../registry/write/admission.js'
import { modify } from '../../../registry/write/modify.js'
import { Operation } from '../../../registry/write/operation.js'
import { preconditionFailed, wrongUid } from '../../../registry/write/preconditions.js'
import { goQuote } from '../../../util/go-format.js'
import type { Implementation } from '../implementation.js'

const what = { group: '', resource: 'pods/binding' }

async function bind(
  operation: Operation,
  name: string,
  binding: Binding,
  validateAdmission: (binding: Binding) => Promise<void>
): Promise<unknown> {
  const { target, metadata } = binding
  const { features } = operation.services
  const errors = new FieldErrors()
  if (target.kind && target.kind !== 'Node') errors.notSupported('target.kind', plainText(target.kind), ['Node', '<empty>'])
  if (!target.name) errors.required('target.name')
  else if (!target.kind || target.kind === 'Node')
    for (const problem of isDns1123Subdomain(target.name)) errors.invalid('target.name', target.name, problem)
  if (errors.any) {
    const texts = errors.list.map(e => `${e.field}: ${e.message}`)
    throw plainError(texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`)
  }
  await validateAdmission(binding)
  checkKeyName(name)
  await modify(operation, name, (pod: Pod) => {
    if (metadata.uid && metadata.uid !== pod.metadata.uid) throw wrongUid(operation, name, metadata.uid, pod.metadata.uid)
    const { resourceVersion: version } = metadata
    if (version && version !== pod.metadata.resourceVersion) {
      const what = `ResourceVersion in precondition: ${version}, ResourceVersion in object meta: ${pod.metadata.resourceVersion}`
      throw preconditionFailed(operation, name, what)
    }
    if (pod.metadata.deletionTimestamp) throw conflict(what, name, `pod ${name} is being deleted, cannot be assigned to a host`)
    if (pod.spec.nodeName) throw conflict(what, name, `pod ${name} is already assigned to node ${goQuote(pod.spec.nodeName)}`)
    if (pod.spec.schedulingGates?.length) throw conflict(what, name, `pod ${name} has non-empty .spec.schedulingGates`)
    pod.spec.nodeName = target.name!
    if (features.enabled('ClearingNominatedNodeNameAfterBinding')) delete pod.status.nominatedNodeName
    if (metadata.annotations) pod.metadata.annotations = { ...pod.metadata.annotations, ...metadata.annotations }
    if (metadata.labels && features.enabled('PodTopologyLabelsAdmission'))
      pod.metadata.labels = { ...pod.metadata.labels, ...metadata.labels }
    setPodCondition(pod.status, { type: 'PodScheduled', status: 'True' }, operation.now)
  })
  return success(undefined, 201)
}

export const podBinding: Implementation = {
  async create({ operation, name, validateAdmission }, binding: Binding) {
    if ((binding.metadata.name ?? '') !== name) throw badRequest('name in URL does not match name in Binding object')
    return bind(operation, name, binding, validateAdmission)
  }
}

/** A POST to `bindings`, the old way to bind a Pod. */
export const virtualBinding: Implementation = {
  create({ operation: { namespace, user, dryRun, services }, validateAdmission }, object: Binding) {
    const resource = services.registry.of(refs.pods)
    const operation = new Operation({ resource, version: 'v1', namespace, user, dryRun, manager: '' }, services, noAdmission)
    // the server has given the new object a uid, which is not a precondition
    delete object.metadata.uid
    return bind(operation, object.metadata.name ?? '', object, validateAdmission)
  }
}
