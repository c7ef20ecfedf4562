import type { PodGroup } from '../../../apimachinery/api/generated/scheduling-v1beta1.js'
import * as refs from '../../../apimachinery/api/resources.js'
import { forbidden } from '../../../apimachinery/status/status.js'
import { goQuote } from '../../../util/go-format.js'
import type { BuiltinPlugin } from '../../admission.js'
import { nameInErrors } from '../../name-in-errors.js'

/** Refuses a new PodGroup whose template belongs to a Workload that does not exist. */
export const podGroupWorkloadExists: BuiltinPlugin = {
  name: 'PodGroupWorkloadExists',
  operations: ['CREATE'],
  resources: ['scheduling.k8s.io/podgroups'],
  validate(attributes) {
    const { object, namespace, resource, context } = attributes
    const { spec }: PodGroup = object
    const named = spec.workloadRef
    if (!named) return
    const refuse = (why: string) => forbidden(resource.groupResource, nameInErrors(attributes), `PodGroup rejected: ${why}`)
    const workload = goQuote(named.workloadName)
    const workloads = context.services.registry.of(refs.workloads)
    const cached = workloads.get(namespace, named.workloadName)
    if (!cached) throw refuse(`Workload ${workload} not found`)
    const found = workloads.peek(cached)
    if (found.metadata.deletionTimestamp) throw refuse(`Workload ${workload} is being deleted`)
    if (found.spec.podGroupTemplates?.some(({ name }) => name === named.templateName)) return
    throw refuse(`PodGroupTemplate ${goQuote(named.templateName)} not found in Workload ${workload}`)
  }
}
