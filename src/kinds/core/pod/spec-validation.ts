import type { Pod, PodSpec } from '../../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { isDns1123Label, isDns1123Subdomain } from '../../../apimachinery/validation/names.js'
import { validateLabels } from '../../../apimachinery/validation/object-meta.js'
import { goQuote } from '../../../util/go-format.js'
import { validateContainerResources } from '../container/resources.js'
import { validatePodSecurityContext, validateWindowsHostProcess } from '../container/security-context-validation.js'
import { validateContainers, validateEphemeralContainers, validateInitContainers } from '../container/validation.js'
import { validateVolumes } from '../volume/validation.js'
import { validateAffinity } from './affinity-validation.js'
import { containersWithPaths } from './annotations-validation.js'
import { validateDnsConfig, validateHostAliases } from './dns-validation.js'
import {
  validateReadinessGates,
  validateResourceClaims,
  validateSchedulingGates,
  validateSchedulingGroup
} from './gates-validation.js'
import { validatePodOS } from './os-validation.js'
import { validatePodResources } from './resources-validation.js'
import { mayCompare, validateTolerations } from './toleration-validation.js'
import { validateTopologySpread } from './topology-spread-validation.js'
import { isStatic } from './update-validation.js'

const maxInt32 = 2147483647

/** Restart policies of whole Pods, in the order in which errors list them. */
const restartPolicies = ['Always', 'OnFailure', 'Never']
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']

/** Validates the spec of a Pod or template. `owner` is the Pod, if it is one; `old` is the spec before an update. */
export function validatePodSpec(spec: PodSpec, path: Path, errors: FieldErrors, owner?: Pod, old?: PodSpec): void {
  if (spec.terminationGracePeriodSeconds === undefined) errors.required(path.child('terminationGracePeriodSeconds'))
  // an update may keep an image volume without a reference
  const needsReference = !old?.volumes?.some(({ image }) => image && !image.reference)
  const volumes = validateVolumes(spec.volumes ?? [], path.child('volumes'), errors, owner?.metadata.name, needsReference)
  const claims = validateResourceClaims(
    spec.resourceClaims ?? [],
    owner !== undefined && isStatic(owner),
    path.child('resourceClaims'),
    errors
  )
  const scope = { spec, volumes, claims, old }
  validateContainers(scope, path.child('containers'), errors)
  validateInitContainers(scope, path.child('initContainers'), errors)
  validateEphemeralContainers(scope, path.child('ephemeralContainers'), errors)
  validatePodResources(spec, claims, path.child('resources'), errors)
  validateHostNetwork(spec, owner !== undefined, path.child('containers'), errors)
  if (!spec.restartPolicy) errors.required(path.child('restartPolicy'))
  else if (!restartPolicies.includes(spec.restartPolicy))
    errors.notSupported(path.child('restartPolicy'), spec.restartPolicy, restartPolicies)
  if (!spec.dnsPolicy) errors.required(path.child('dnsPolicy'))
  else if (!dnsPolicies.includes(spec.dnsPolicy)) errors.notSupported(path.child('dnsPolicy'), spec.dnsPolicy, dnsPolicies)
  validateLabels(spec.nodeSelector, path.child('nodeSelector'), errors)
  validatePodSecurityContext(spec, old, path.child('securityContext'), errors)
  if (spec.shareProcessNamespace && spec.hostPID)
    errors.invalid(path.child('shareProcessNamespace'), true, 'ShareProcessNamespace and HostPID cannot both be enabled')
  validateAffinity(spec.affinity, path.child('affinity'), errors)
  validateDnsConfig(spec, path.child('dnsConfig'), errors)
  validateReadinessGates(spec.readinessGates ?? [], path.child('readinessGates'), errors)
  validateSchedulingGates(spec.schedulingGates ?? [], path.child('schedulingGates'), errors)
  validateTopologySpread(
    spec.topologySpreadConstraints ?? [],
    old?.topologySpreadConstraints ?? [],
    path.child('topologySpreadConstraints'),
    errors
  )
  validateWindowsHostProcess(spec, path, errors)
  validateHostUsers(spec, path, errors)
  validateHostnameOverride(spec, path.child('hostnameOverride'), errors)
  named(spec.serviceAccountName, isDns1123Subdomain, path.child('serviceAccountName'), errors)
  const { serviceAccount = '', serviceAccountName = '' } = spec
  if (serviceAccount !== serviceAccountName) {
    const why = `must be the same as serviceAccountName: ${goQuote(serviceAccountName)}`
    errors.invalid(path.child('deprecatedServiceAccount'), serviceAccount, why)
  }
  named(spec.nodeName, isDns1123Subdomain, path.child('nodeName'), errors)
  const deadline = spec.activeDeadlineSeconds
  if (deadline !== undefined && (deadline < 1 || deadline > maxInt32)) {
    errors.invalid(path.child('activeDeadlineSeconds'), deadline, `must be between 1 and ${maxInt32}, inclusive`)
  }
  named(spec.hostname, isDns1123Label, path.child('hostname'), errors)
  named(spec.subdomain, isDns1123Label, path.child('subdomain'), errors)
  validateTolerations(spec.tolerations ?? [], path.child('tolerations'), errors, mayCompare(old, errors))
  validateHostAliases(spec.hostAliases ?? [], path.child('hostAliases'), errors)
  named(spec.priorityClassName, isDns1123Subdomain, path.child('priorityClassName'), errors)
  const { runtimeClassName } = spec
  if (runtimeClassName !== undefined)
    for (const e of isDns1123Subdomain(runtimeClassName)) errors.invalid(path.child('runtimeClassName'), runtimeClassName, e)
  const preemption = ['PreemptLowerPriority', 'Never']
  if (spec.preemptionPolicy === '') errors.required(path.child('preemptionPolicy'))
  else if (spec.preemptionPolicy !== undefined && !preemption.includes(spec.preemptionPolicy)) {
    errors.notSupported(path.child('preemptionPolicy'), spec.preemptionPolicy, preemption)
  }
  if (spec.overhead) validateContainerResources({ limits: spec.overhead }, [], path.child('overhead'), errors)
  validatePodOS(spec, path, errors)
  if (spec.schedulingGroup) {
    validateSchedulingGroup(spec.schedulingGroup, path.child('schedulingGroup'), errors)
    if (spec.evictionResponders?.length)
      errors.forbidden(path.child('schedulingGroup'), 'may not be set when evictionResponders is set')
  }
  validateEnvFiles(spec, path, errors)
}

function named(value: string | undefined, check: (value: string) => string[], path: Path, errors: FieldErrors): void {
  if (value) for (const e of check(value)) errors.invalid(path, value, e)
}

/**
 * Refuses to share the host's other namespaces with a Pod that has its own user namespace. Some paths have kube-apiserver's
 * internal names.
 */
function validateHostUsers(spec: PodSpec, path: Path, errors: FieldErrors): void {
  if (spec.hostUsers !== false) return
  if (spec.hostNetwork && !errors.enabled('UserNamespacesHostNetworkSupport'))
    errors.forbidden(path.child('hostNetwork'), 'when `hostUsers` is false')
  if (spec.hostPID) errors.forbidden(path.child('HostPID'), 'when `hostUsers` is false')
  if (spec.hostIPC) errors.forbidden(path.child('HostIPC'), 'when `hostUsers` is false')
  for (const [container, at] of containersWithPaths(spec, path))
    if (container.volumeDevices?.length) errors.forbidden(at.child('volumeDevices'), 'when `hostUsers` is false')
}

/**
 * Requires on the host's network that host ports equal container ports. Templates may leave host ports out: Pods get them by
 * default.
 */
function validateHostNetwork(spec: PodSpec, isPod: boolean, path: Path, errors: FieldErrors): void {
  if (!spec.hostNetwork) return
  spec.containers?.forEach((container, i) => {
    container.ports?.forEach(({ hostPort = 0, containerPort }, j) => {
      if ((!isPod && hostPort === 0) || hostPort === containerPort) return
      const at = path.index(i).child('ports').index(j).child('hostPort')
      errors.invalid(at, hostPort, 'must match `containerPort` when `hostNetwork` is true')
    })
  })
}

/** The longest host name that Linux allows. */
const maxHostname = 64

function validateHostnameOverride(spec: PodSpec, path: Path, errors: FieldErrors): void {
  const name = spec.hostnameOverride
  if (name === undefined) return
  if (spec.setHostnameAsFQDN) errors.forbidden(path, 'may not be specified when setHostnameAsFQDN is true')
  if (spec.hostNetwork) errors.forbidden(path, 'may not be specified when hostNetwork is true')
  if (Buffer.byteLength(name) > maxHostname) errors.tooLong(path, maxHostname)
  for (const e of isDns1123Subdomain(name)) errors.invalid(path, name, e)
}

/** Requires that files with environment variables lie in volumes which the containers share. */
function validateEnvFiles(spec: PodSpec, path: Path, errors: FieldErrors): void {
  const volumes = new Map(spec.volumes?.map(volume => [volume.name, volume]))
  for (const [container, place] of containersWithPaths(spec, path)) {
    container.env?.forEach(({ valueFrom }, i) => {
      if (!valueFrom?.fileKeyRef) return
      const { volumeName } = valueFrom.fileKeyRef
      const at = place.child('env').index(i).child('valueFrom', 'fileKeyRef', 'volumeName')
      const volume = volumes.get(volumeName)
      if (!volume) errors.notFound(at, volumeName)
      else if (!volume.emptyDir) errors.invalid(at, volumeName, 'referenced volume must be of type emptyDir')
    })
  }
}
