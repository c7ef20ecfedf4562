import type { ContainerStatus, Pod } from '../../api/generated/core-v1.js'
import { type FieldErrors, Path } from '../../validation/field.js'
import { internalListText } from '../../validation/internal-text.js'
import { ipFamily, validateIP } from '../../validation/ip.js'
import { isDns1123Subdomain, isQualifiedName } from '../../validation/names.js'

const path = Path.of('status')

export function validatePodStatusUpdate(pod: Pod, old: Pod, errors: FieldErrors): void {
  const { status } = pod
  status.conditions?.forEach(({ type }, i) => {
    for (const e of isQualifiedName(type)) errors.invalid(path.child('conditions').index(i).child('Type'), type, e)
  })
  const nominated = status.nominatedNodeName
  if (nominated && nominated !== old.status.nominatedNodeName)
    for (const e of isDns1123Subdomain(nominated)) errors.invalid(path.child('nominatedNodeName'), nominated, e)
  if ((status.qosClass ?? '') !== (old.status.qosClass ?? ''))
    errors.invalid(path.child('qosClass'), status.qosClass ?? '', 'field is immutable')
  validateTransitions(
    pod,
    status.containerStatuses ?? [],
    old.status.containerStatuses ?? [],
    path.child('containerStatuses'),
    errors
  )
  validatePodIPs(pod, errors)
  validateHostIPs(pod, errors)
}

/** What has ended does not come back, unless it is meant to be restarted. */
function validateTransitions(
  { spec }: Pod,
  now: readonly ContainerStatus[],
  before: readonly ContainerStatus[],
  at: Path,
  errors: FieldErrors
): void {
  if (spec.restartPolicy === 'Always') return
  for (const old of before) {
    const { terminated } = old.state
    if (!terminated) continue
    const container = spec.containers?.find(c => c.name === old.name)
    if (container?.restartPolicy !== undefined || container?.restartPolicyRules) continue
    if (terminated.exitCode !== 0 && spec.restartPolicy === 'OnFailure') continue
    const i = now.findIndex(status => status.name === old.name)
    if (i >= 0 && !now[i]!.state.terminated)
      errors.forbidden(at.index(i).child('state'), 'may not be transitioned to non-terminated state')
  }
}

function validatePodIPs({ status }: Pod, errors: FieldErrors): void {
  const ips = (status.podIPs ?? []).map(p => p.ip)
  if (ips.length === 0) return
  const at = path.child('podIPs')
  ips.forEach((ip, i) => void validateIP(ip, at.index(i), errors))
  if (ips.length > 2 || (ips.length === 2 && ipFamily(ips[0]!) === ipFamily(ips[1]!))) {
    errors.invalid(at, internalListText('core.v1.PodIP', status.podIPs!), 'may specify no more than one IP for each IP family')
  }
  ips.forEach((ip, i) => {
    if (ips.indexOf(ip) < i) errors.duplicate(at.index(i), ip)
  })
}

function validateHostIPs({ status }: Pod, errors: FieldErrors): void {
  const ips = (status.hostIPs ?? []).map(p => p.ip)
  if (ips.length === 0) return
  const at = path.child('hostIPs')
  if (ips[0] !== (status.hostIP ?? '')) errors.invalid(at.index(0).child('ip'), ips[0], 'must be equal to `hostIP`')
  ips.forEach((ip, i) => void validateIP(ip, at.index(i), errors))
  if (ips.length > 2 || (ips.length === 2 && ipFamily(ips[0]!) === ipFamily(ips[1]!))) {
    errors.invalid(at, internalListText('core.v1.HostIP', status.hostIPs!), 'may specify no more than one IP for each IP family')
  }
}
