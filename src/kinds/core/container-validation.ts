import type { Container, ContainerPort, EphemeralContainer, PodSpec, Volume } from '../../api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../validation/field.js'
import { isDns1123Label, isPortName, isPortNumber } from '../../validation/names.js'
import { validateResources } from './container-resources.js'
import { validateEnv, validateEnvFrom } from './env-validation.js'
import { validateLifecycle, validateProbes } from './probe-validation.js'
import { validateSecurityContext } from './security-context-validation.js'
import { validateVolumeDevices, validateVolumeMounts } from './volume-mount-validation.js'

/** What containers refer to. */
export interface ContainerScope {
  readonly spec: PodSpec
  /** The valid ones, by name. */
  readonly volumes: ReadonlyMap<string, Volume>
  readonly claims: readonly string[]
}

const protocols = ['SCTP', 'TCP', 'UDP']
const pullPolicies = ['Always', 'IfNotPresent', 'Never']
const messagePolicies = ['FallbackToLogsOnError', 'File']
const restartPolicies = ['Always', 'Never', 'OnFailure']

export function validateContainers(scope: ContainerScope, path: Path, errors: FieldErrors): void {
  const containers = scope.spec.containers ?? []
  if (containers.length === 0) return errors.required(path)
  const names = new Set<string>()
  containers.forEach((container, i) => {
    const at = path.index(i)
    validateContainer(container, scope, at, errors)
    if (names.has(container.name)) errors.duplicate(at.child('name'), container.name)
    names.add(container.name)
    validateLifecycle(container.lifecycle, scope.spec, at.child('lifecycle'), errors)
    validateProbes(container, at, errors)
    validateRestartPolicy(container, at, errors)
  })
  validateHostPorts(containers, path, errors)
}

export function validateInitContainers(scope: ContainerScope, path: Path, errors: FieldErrors): void {
  const names = new Set((scope.spec.containers ?? []).map(c => c.name))
  scope.spec.initContainers?.forEach((container, i) => {
    const at = path.index(i)
    validateContainer(container, scope, at, errors)
    validateRestartPolicy(container, at, errors)
    if (names.has(container.name)) errors.duplicate(at.child('name'), container.name)
    names.add(container.name)
    validateHostPorts([container], path, errors)
    if (container.restartPolicy === 'Always') {
      validateLifecycle(container.lifecycle, scope.spec, at.child('lifecycle'), errors)
      validateProbes(container, at, errors)
      return
    }
    for (const field of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
      if (container[field]) errors.forbidden(at.child(field), 'may not be set for init containers without restartPolicy=Always')
    }
  })
}

/** Fields of containers that ephemeral ones may not have. */
const notEphemeral = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle'
] as const

export function validateEphemeralContainers(scope: ContainerScope, path: Path, errors: FieldErrors): void {
  const targets = new Set([...(scope.spec.containers ?? []), ...(scope.spec.initContainers ?? [])].map(c => c.name))
  const names = new Set(targets)
  scope.spec.ephemeralContainers?.forEach((container: EphemeralContainer, i) => {
    const at = path.index(i)
    validateContainer(container, scope, at, errors)
    validateImageSpaces(container, at, errors)
    if (names.has(container.name)) errors.duplicate(at.child('name'), container.name)
    names.add(container.name)
    const target = container.targetContainerName
    if (target && !targets.has(target)) errors.notFound(at.child('targetContainerName'), target)
    for (const field of notEphemeral) {
      const value = container[field]
      if (value !== undefined && Object.keys(value).length > 0)
        errors.forbidden(at.child(field), 'cannot be set for an Ephemeral Container')
    }
    container.volumeMounts?.forEach((mount, j) => {
      for (const field of ['subPath', 'subPathExpr'] as const) {
        if (mount[field])
          errors.forbidden(at.child('volumeMounts').index(j).child(field), 'cannot be set for an Ephemeral Container')
      }
    })
  })
}

function validateContainer(container: Container, scope: ContainerScope, path: Path, errors: FieldErrors): void {
  if (!container.name) errors.required(path.child('name'))
  else for (const e of isDns1123Label(container.name)) errors.invalid(path.child('name'), container.name, e)
  if (!container.image) errors.required(path.child('image'))
  if (!messagePolicies.includes(container.terminationMessagePolicy ?? '')) {
    errors.notSupported(path.child('terminationMessagePolicy'), container.terminationMessagePolicy, messagePolicies)
  }
  validatePorts(container.ports ?? [], path.child('ports'), errors)
  validateEnv(container.env ?? [], path.child('env'), errors)
  validateEnvFrom(container.envFrom ?? [], path.child('envFrom'), errors)
  validateVolumeMounts(container, scope, path.child('volumeMounts'), errors)
  validateVolumeDevices(container, scope, path.child('volumeDevices'), errors)
  if (!pullPolicies.includes(container.imagePullPolicy ?? ''))
    errors.notSupported(path.child('imagePullPolicy'), container.imagePullPolicy, pullPolicies)
  validateResources(container.resources, scope.claims, path.child('resources'), errors)
  validateResizePolicy(container, path.child('resizePolicy'), errors)
  validateSecurityContext(container.securityContext, scope.spec, path.child('securityContext'), errors)
}

/** Only for Pods: templates have always been let through. */
export function validateImageSpaces(container: Container, path: Path, errors: FieldErrors): void {
  const { image } = container
  if (image !== undefined && image !== image.trim())
    errors.invalid(path.child('image'), image, 'must not have leading or trailing whitespace')
}

function validatePorts(ports: readonly ContainerPort[], path: Path, errors: FieldErrors): void {
  const names = new Set<string>()
  ports.forEach((port, i) => {
    const at = path.index(i)
    if (port.name) {
      const wrong = isPortName(port.name)
      for (const e of wrong) errors.invalid(at.child('name'), port.name, e)
      if (wrong.length === 0) {
        if (names.has(port.name)) errors.duplicate(at.child('name'), port.name)
        names.add(port.name)
      }
    }
    if (!port.containerPort) errors.required(at.child('containerPort'))
    else for (const e of isPortNumber(port.containerPort)) errors.invalid(at.child('containerPort'), port.containerPort, e)
    if (port.hostPort) for (const e of isPortNumber(port.hostPort)) errors.invalid(at.child('hostPort'), port.hostPort, e)
    if (!protocols.includes(port.protocol ?? '')) errors.notSupported(at.child('protocol'), port.protocol, protocols)
  })
}

/** One port of the node cannot be had twice. */
function validateHostPorts(containers: readonly Container[], path: Path, errors: FieldErrors): void {
  const taken = new Set<string>()
  containers.forEach((container, i) => {
    container.ports?.forEach((port, j) => {
      if (!port.hostPort) return
      const key = `${port.protocol}/${port.hostIP ?? ''}/${port.hostPort}`
      if (taken.has(key)) errors.duplicate(path.index(i).child('ports').index(j).child('hostPort'), key)
      taken.add(key)
    })
  })
}

function validateResizePolicy(container: Container, path: Path, errors: FieldErrors): void {
  const seen = new Set<string>()
  for (const policy of container.resizePolicy ?? []) {
    if (seen.has(policy.resourceName)) errors.duplicate(path, policy.resourceName)
    seen.add(policy.resourceName)
    if (!['cpu', 'memory'].includes(policy.resourceName)) errors.notSupported(path, policy.resourceName, ['cpu', 'memory'])
    const policies = ['NotRequired', 'RestartContainer']
    if (!policy.restartPolicy) errors.required(path)
    else if (!policies.includes(policy.restartPolicy)) errors.notSupported(path, policy.restartPolicy, policies)
  }
}

const maxRestartRules = 20
const maxExitCodes = 255

function validateRestartPolicy(container: Container, path: Path, errors: FieldErrors): void {
  const rules = container.restartPolicyRules ?? []
  if (container.restartPolicy === undefined) {
    if (rules.length > 0) errors.required(path.child('restartPolicy'), 'must specify restartPolicy when restart rules are used')
  } else if (!restartPolicies.includes(container.restartPolicy))
    errors.notSupported(path.child('restartPolicy'), container.restartPolicy, restartPolicies)
  if (rules.length > maxRestartRules) errors.tooLong(path.child('restartPolicyRules'), maxRestartRules)
  for (const [i, rule] of rules.entries()) {
    const at = path.child('restartPolicyRules').index(i)
    const actions = ['Restart', 'RestartAllContainers']
    if (!actions.includes(rule.action ?? '')) errors.notSupported(at.child('action'), rule.action, actions)
    if (!rule.exitCodes) {
      errors.required(at.child('exitCodes'), 'must be specified')
      continue
    }
    const operators = ['In', 'NotIn']
    if (!operators.includes(rule.exitCodes.operator ?? ''))
      errors.notSupported(at.child('exitCodes', 'operator'), rule.exitCodes.operator, operators)
    if ((rule.exitCodes.values?.length ?? 0) > maxExitCodes) errors.tooLong(at.child('exitCodes', 'values'), maxExitCodes)
  }
}
