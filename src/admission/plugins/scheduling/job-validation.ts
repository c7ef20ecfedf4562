import type { Job } from '../../../apimachinery/api/generated/batch-v1.js'
import type { PodGroup } from '../../../apimachinery/api/generated/scheduling-v1beta1.js'
import * as refs from '../../../apimachinery/api/resources.js'
import { forbidden } from '../../../apimachinery/status/status.js'
import type { Services } from '../../../registry/services.js'
import { goQuote } from '../../../util/go-format.js'
import type { BuiltinPlugin } from '../../admission.js'

/** Refuses to change the parallelism of a Job whose Pods are scheduled as a gang, because the size of a gang is fixed. */
export const jobValidation: BuiltinPlugin = {
  name: 'JobValidation',
  operations: ['UPDATE'],
  resources: ['batch/jobs'],
  validate({ name, resource, object, oldObject, context }) {
    const [job, old]: Job[] = [object, oldObject]
    if (!context.services.features.enabled('GenericWorkload') || job!.spec.parallelism === old!.spec.parallelism) return
    const gang = gangOf(old!, context.services)
    if (gang === undefined) return
    const why = `cannot change parallelism for a Job referencing gang-scheduled PodGroup ${goQuote(gang)}`
    throw forbidden(resource.groupResource, name, why)
  }
}

/** Returns the name of the PodGroup that the Job's template names, or else of one that the Job controls, if it is a gang. */
function gangOf({ metadata, spec }: Job, { registry }: Services): string | undefined {
  const podGroups = registry.ifServed(refs.podGroups)
  if (!podGroups) return undefined
  const namespace = metadata.namespace ?? ''
  const isGang = ({ spec }: PodGroup) => spec.schedulingPolicy.gang !== undefined
  const named = spec.template.spec.schedulingGroup?.podGroupName
  if (named !== undefined) {
    const found = podGroups.get(namespace, named)
    return found && isGang(podGroups.peek(found)) ? named : undefined
  }
  for (const cached of podGroups.cache.range(`${namespace}/`)) {
    const group = podGroups.peek(cached)
    if (group.metadata.ownerReferences?.some(({ controller, uid }) => controller && uid === metadata.uid) && isGang(group))
      return group.metadata.name
  }
  return undefined
}
