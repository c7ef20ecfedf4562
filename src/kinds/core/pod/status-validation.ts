import type { Container, Pod, PodSpec } from '../../../apimachinery/api/generated/core-v1.js'
import { type FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { namedText } from '../../../apimachinery/validation/go-value.js'
import { internalListText } from '../../../apimachinery/validation/internal-text.js'
import { ipFamily, isIP, validateIP } from '../../../apimachinery/validation/ip.js'
import { isDns1123Subdomain, isQualifiedName } from '../../../apimachinery/validation/names.js'
import { byName } from '../by-name.js'
import { validateAllocatedResources, validateContainerUsers } from '../container/status-validation.js'
import { validatePodVolumeHealth } from '../volume/health-validation.js'
import { validateAnnotationChanges, validatePodAnnotations } from './annotations-validation.js'
import { validateClaimStatuses } from './claim-status-validation.js'

const path = Path.of('status')

export function validatePodStatusUpdate(pod: Pod, old: Pod, errors: FieldErrors): void {
  const { status } = pod
  const annotations = Path.of('metadata', 'annotations')
  validateAnnotationChanges(pod, old, annotations, errors)
  validatePodAnnotations(pod, annotations, errors)
  status.conditions?.forEach(({ type, observedGeneration }, i) => {
    const at = path.child('conditions').index(i)
    if ((observedGeneration ?? 0) < 0)
      errors.invalid(at.child('observedGeneration'), observedGeneration, 'must be a non-negative integer')
    for (const e of isQualifiedName(type)) errors.invalid(at.child('Type'), type, e)
  })
  validateNomination(pod, old, path.child('nominatedNodeName'), errors)
  if ((status.observedGeneration ?? 0) < 0)
    errors.invalid(path.child('observedGeneration'), status.observedGeneration, 'must be a non-negative integer')
  if ((status.qosClass ?? '') !== (old.status.qosClass ?? ''))
    errors.invalid(path.child('qosClass'), namedText(status.qosClass ?? ''), 'field is immutable')
  validateTransitions(pod, old, errors)
  validateClaimStatuses(pod, path, errors)
  validatePodVolumeHealth(status.volumeHealth ?? [], pod.spec.volumes ?? [], path.child('volumeHealth'), errors)
  validatePodIPs(pod, old, errors)
  validateHostIPs(pod, old, errors)
  for (const field of containerStatuses) validateContainerUsers(pod, status[field] ?? [], path.child(field), errors)
  for (const field of containerStatuses) validateAllocatedResources(pod, field, path.child(field), errors)
}

const containerStatuses = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const

function validateNomination(pod: Pod, old: Pod, at: Path, errors: FieldErrors): void {
  const name = pod.status.nominatedNodeName
  if (!name || name === old.status.nominatedNodeName) return
  for (const e of isDns1123Subdomain(name)) errors.invalid(at, name, e)
  if (old.spec.nodeName && errors.enabled('ClearingNominatedNodeNameAfterBinding'))
    errors.forbidden(at, 'may not be set on pods that are already bound to a node')
}

/** Refuses to let a terminated container run again, unless its restart policy allows that. */
function validateTransitions({ status }: Pod, old: Pod, errors: FieldErrors): void {
  const { spec } = old
  const rules = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].flatMap(c => c.restartPolicyRules ?? [])
  // a Pod that has the action may keep it when the gate is off
  const all = rules.some(rule => rule.action === 'RestartAllContainers')
  for (const field of containerStatuses) {
    if (all && field !== 'ephemeralContainerStatuses') continue
    const alive = new Set(status[field]?.filter(now => !now.state.terminated).map(now => now.name))
    const containers = byName(containersOf(spec, field))
    old.status[field]?.forEach(({ name, state: { terminated } }, i) => {
      if (!terminated || !alive.has(name)) return
      const container = containers.get(name)
      if (!container || !restarts(container, spec, terminated.exitCode))
        errors.forbidden(path.child(field).index(i).child('state'), 'may not be transitioned to non-terminated state')
    })
  }
}

/** Returns the containers that a list of statuses is about and that may restart: ephemeral containers never do. */
function containersOf(spec: PodSpec, field: (typeof containerStatuses)[number]): readonly Container[] {
  if (field === 'ephemeralContainerStatuses') return []
  return (field === 'containerStatuses' ? spec.containers : spec.initContainers) ?? []
}

/** Whether a container may restart: its own rules decide, then its own policy, then that of the Pod. */
function restarts(container: Container, spec: PodSpec, exitCode: number): boolean {
  const { restartPolicy, restartPolicyRules } = container
  if (restartPolicy !== undefined && restartPolicyRules?.some(rule => matches(rule.exitCodes, exitCode))) return true
  const policy = restartPolicy ?? spec.restartPolicy
  return policy === 'Never' ? false : policy === 'OnFailure' ? exitCode !== 0 : true
}

type ExitCodes = NonNullable<Container['restartPolicyRules']>[number]['exitCodes']

function matches(codes: ExitCodes, exitCode: number): boolean {
  const listed = codes?.values?.includes(exitCode) ?? false
  return codes?.operator === 'In' ? listed : codes?.operator === 'NotIn' ? !listed : false
}

const addressesOf = (list: readonly { ip?: string | undefined }[] = []) => new Set(list.map(({ ip = '' }) => ip))

function validatePodIPs({ status: { podIPs = [] } }: Pod, { status: old }: Pod, errors: FieldErrors): void {
  const at = path.child('podIPs')
  const known = addressesOf(old.podIPs)
  podIPs.forEach(({ ip = '' }, i) => void validateIP(ip, at.index(i), errors, known))
  validateFamilies(podIPs, 'core.v1.PodIP', at, errors)
}

function validateHostIPs({ status: { hostIP = '', hostIPs = [] } }: Pod, { status: old }: Pod, errors: FieldErrors): void {
  const at = path.child('hostIPs')
  if (hostIPs.length > 0 && hostIPs[0]!.ip !== hostIP)
    errors.invalid(at.index(0).child('ip'), hostIPs[0]!.ip, 'must be equal to `hostIP`')
  const known = addressesOf(old.hostIPs)
  hostIPs.forEach(({ ip = '' }, i) => void validateIP(ip, at.index(i), errors, known))
  validateFamilies(hostIPs, 'core.v1.HostIP', at, errors)
}

/** Refuses more than one address of a family. */
function validateFamilies(ips: readonly { ip?: string | undefined }[], type: string, at: Path, errors: FieldErrors): void {
  if (ips.length < 2) return
  const texts = ips.map(({ ip = '' }) => ip)
  const wrong = texts.findIndex(ip => !isIP(ip))
  if (wrong >= 0) errors.internal(at, `failed to check for dual stack with error:invalid IP[${wrong}]: ${texts[wrong]}`)
  if (wrong >= 0 || ips.length > 2 || ipFamily(texts[0]!) === ipFamily(texts[1]!))
    errors.invalid(at, internalListText(type, ips), 'may specify no more than one IP for each IP family')
}
