import type { PodSpec } from '../../api/generated/core-v1.js'
import type { ObjectMeta } from '../../api/generated/meta-v1.js'
import type { FieldErrors, Path } from '../../validation/field.js'
import { isDns1123Label, isDns1123Subdomain } from '../../validation/names.js'
import { validateLabels } from '../../validation/object-meta.js'
import { validateAffinity } from './affinity-validation.js'
import { validateResources } from './container-resources.js'
import { validateContainers, validateEphemeralContainers, validateInitContainers } from './container-validation.js'
import { validateDnsConfig, validateHostAliases } from './pod-dns-validation.js'
import { validateReadinessGates, validateResourceClaims, validateSchedulingGates } from './pod-gates-validation.js'
import { validatePodOS } from './pod-os-validation.js'
import { validatePodSecurityContext, validateWindowsHostProcess } from './security-context-validation.js'
import { validateTolerations } from './toleration-validation.js'
import { validateTopologySpread } from './topology-spread-validation.js'
import { validateVolumes } from './volume-validation.js'

const maxInt32 = 2147483647

/** Restart policies of whole Pods, in the order in which errors list them. */
const restartPolicies = ['Always', 'OnFailure', 'Never']
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']

/** What Pods and templates have in common. `meta` is the Pod's or the template's. */
export function validatePodSpec(spec: PodSpec, path: Path, errors: FieldErrors, _meta: ObjectMeta): void {
  const volumes = validateVolumes(spec.volumes ?? [], path.child('volumes'), errors)
  const claims = validateResourceClaims(spec.resourceClaims ?? [], path.child('resourceClaims'), errors)
  if (spec.resources) validateResources(spec.resources, claims, path.child('resources'), errors)
  const scope = { spec, volumes, claims }
  validateContainers(scope, path.child('containers'), errors)
  validateInitContainers(scope, path.child('initContainers'), errors)
  validateEphemeralContainers(scope, path.child('ephemeralContainers'), errors)
  if (!restartPolicies.includes(spec.restartPolicy ?? ''))
    errors.notSupported(path.child('restartPolicy'), spec.restartPolicy, restartPolicies)
  if (!dnsPolicies.includes(spec.dnsPolicy ?? '')) errors.notSupported(path.child('dnsPolicy'), spec.dnsPolicy, dnsPolicies)
  validateLabels(spec.nodeSelector, path.child('nodeSelector'), errors)
  validatePodSecurityContext(spec, path, errors)
  validateAffinity(spec.affinity, path.child('affinity'), errors)
  validateDnsConfig(spec, path.child('dnsConfig'), errors)
  validateReadinessGates(spec.readinessGates ?? [], path.child('readinessGates'), errors)
  validateSchedulingGates(spec.schedulingGates ?? [], path.child('schedulingGates'), errors)
  validateTopologySpread(spec.topologySpreadConstraints ?? [], path.child('topologySpreadConstraints'), errors)
  validateWindowsHostProcess(spec, path, errors)
  validateHostUsers(spec, path, errors)
  named(spec.serviceAccountName, isDns1123Subdomain, path.child('serviceAccountName'), errors)
  named(spec.nodeName, isDns1123Subdomain, path.child('nodeName'), errors)
  const deadline = spec.activeDeadlineSeconds
  if (deadline !== undefined && (deadline < 1 || deadline > maxInt32)) {
    errors.invalid(path.child('activeDeadlineSeconds'), deadline, `must be between 1 and ${maxInt32}, inclusive`)
  }
  named(spec.hostname, isDns1123Label, path.child('hostname'), errors)
  named(spec.subdomain, isDns1123Label, path.child('subdomain'), errors)
  validateTolerations(spec.tolerations ?? [], path.child('tolerations'), errors)
  validateHostAliases(spec.hostAliases ?? [], path.child('hostAliases'), errors)
  named(spec.priorityClassName, isDns1123Subdomain, path.child('priorityClassName'), errors)
  if (spec.runtimeClassName !== undefined)
    named(spec.runtimeClassName, isDns1123Subdomain, path.child('runtimeClassName'), errors)
  const preemption = ['PreemptLowerPriority', 'Never']
  if (spec.preemptionPolicy !== undefined && !preemption.includes(spec.preemptionPolicy)) {
    errors.notSupported(path.child('preemptionPolicy'), spec.preemptionPolicy, preemption)
  }
  if (spec.overhead) validateResources({ limits: spec.overhead }, undefined, path.child('overhead'), errors)
  validatePodOS(spec, path, errors)
}

function named(value: string | undefined, check: (value: string) => string[], path: Path, errors: FieldErrors): void {
  if (value) for (const e of check(value)) errors.invalid(path, value, e)
}

/** A user namespace of its own leaves no room for the host's other namespaces. The paths mix in internal names. */
function validateHostUsers(spec: PodSpec, path: Path, errors: FieldErrors): void {
  if (spec.hostUsers !== false) return
  if (spec.hostNetwork) errors.forbidden(path.child('hostNetwork'), 'when `hostUsers` is false')
  if (spec.hostPID) errors.forbidden(path.child('HostPID'), 'when `hostUsers` is false')
  if (spec.hostIPC) errors.forbidden(path.child('HostIPC'), 'when `hostUsers` is false')
}
