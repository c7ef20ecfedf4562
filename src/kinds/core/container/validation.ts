import type {
  Container,
  ContainerPort,
  EphemeralContainer,
  PodSpec,
  Volume
} from '../../../apimachinery/api/generated/core-v1.js'
import { asGiven, given } from '../../../apimachinery/schema/given.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { namedText } from '../../../apimachinery/validation/go-value.js'
import { isDns1123Label, isPortName, isPortNumber } from '../../../apimachinery/validation/names.js'
import { validateEnv, validateEnvFrom } from './env-validation.js'
import { validateLifecycle, validateProbes } from './probe-validation.js'
import { validateContainerResources } from './resources.js'
import { validateSecurityContext } from './security-context-validation.js'
import { validateVolumeDevices, validateVolumeMounts } from './volume-mount-validation.js'

/** The parts of a Pod to which containers refer. */
export interface ContainerScope {
  readonly spec: PodSpec
  /** The valid volumes by name. */
  readonly volumes: ReadonlyMap<string, Volume>
  readonly claims: readonly string[]
  /** The spec before an update. */
  readonly old: PodSpec | undefined
}

const protocols = ['SCTP', 'TCP', 'UDP']
const pullPolicies = ['Always', 'IfNotPresent', 'Never']
/** The termination message policies, in the order in which errors list them. */
const messagePolicies = ['File', 'FallbackToLogsOnError']
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
    validateRestartPolicy(container, scope.old, at, errors)
  })
  validateHostPorts(containers, path, errors)
}

export function validateInitContainers(scope: ContainerScope, path: Path, errors: FieldErrors): void {
  const names = new Set((scope.spec.containers ?? []).map(c => c.name))
  scope.spec.initContainers?.forEach((container, i) => {
    const at = path.index(i)
    validateContainer(container, scope, at, errors)
    const isSidecar = container.restartPolicy === 'Always'
    if (isSidecar && !mayRestartAll(scope.old, errors)) {
      if (container.restartPolicyRules?.length)
        errors.forbidden(
          at.child('restartPolicyRules'),
          'restartPolicyRules are not allowed for init containers with restart policy Always'
        )
    } else if (container.restartPolicy !== undefined) validateRestartPolicy(container, scope.old, at, errors)
    else if (container.restartPolicyRules?.length) errors.required(at.child('restartPolicy'), policyForRules)
    if (names.has(container.name)) errors.duplicate(at.child('name'), container.name)
    else if (container.name) names.add(container.name)
    validateHostPorts([container], path, errors)
    if (!isSidecar) validateResizeOfInitContainer(container, at.child('resizePolicy'), errors)
    if (isSidecar) {
      validateLifecycle(container.lifecycle, scope.spec, at.child('lifecycle'), errors)
      validateProbes(container, at, errors)
      return
    }
    for (const field of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
      if (container[field]) errors.forbidden(at.child(field), 'may not be set for init containers without restartPolicy=Always')
    }
  })
}

/** Fields that ephemeral containers may not have. */
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

/** Whether a field was given. `resources` is always set, so it counts only when the client has set a field in it. */
function isGiven(container: EphemeralContainer, field: (typeof notEphemeral)[number]): boolean {
  const value = given(container, field)
  return field === 'resources' ? Object.keys(asGiven(value!)).length > 0 : value !== undefined
}

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
      if (isGiven(container, field)) errors.forbidden(at.child(field), 'cannot be set for an Ephemeral Container')
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
  const messagePolicy = container.terminationMessagePolicy
  if (!messagePolicy) errors.required(path.child('terminationMessagePolicy'))
  else if (!messagePolicies.includes(messagePolicy))
    errors.notSupported(path.child('terminationMessagePolicy'), messagePolicy, messagePolicies)
  validatePorts(container.ports ?? [], path.child('ports'), errors)
  validateEnv(container.env ?? [], path.child('env'), errors)
  validateEnvFrom(container.envFrom ?? [], path.child('envFrom'), errors)
  validateVolumeMounts(container, scope.volumes, path.child('volumeMounts'), errors)
  validateVolumeDevices(container, scope.volumes, path.child('volumeDevices'), errors)
  if (!container.imagePullPolicy) errors.required(path.child('imagePullPolicy'))
  else if (!pullPolicies.includes(container.imagePullPolicy))
    errors.notSupported(path.child('imagePullPolicy'), container.imagePullPolicy, pullPolicies)
  validateContainerResources(container.resources, scope.claims, path.child('resources'), errors)
  validateResizePolicy(container, scope.spec, path.child('resizePolicy'), errors)
  validateSecurityContext(container.securityContext, scope, path.child('securityContext'), errors)
}

/** Refuses blanks around an image, for Pods only: kube-apiserver has always accepted such templates. */
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
    if (!port.protocol) errors.required(at.child('protocol'))
    else if (!protocols.includes(port.protocol)) errors.notSupported(at.child('protocol'), port.protocol, protocols)
  })
}

/** Refuses a host port that two containers use. */
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

const resizable = ['cpu', 'memory']
const resizePolicies = ['NotRequired', 'RestartContainer']

function validateResizePolicy({ resizePolicy }: Container, spec: PodSpec, path: Path, errors: FieldErrors): void {
  const seen = new Set<string>()
  resizePolicy?.forEach(({ resourceName, restartPolicy }, i) => {
    if (seen.has(resourceName)) errors.duplicate(path.index(i), namedText(resourceName))
    seen.add(resourceName)
    if (!resourceName) errors.required(path)
    else if (!resizable.includes(resourceName)) errors.notSupported(path, resourceName, resizable)
    if (!restartPolicy) errors.required(path)
    else if (!resizePolicies.includes(restartPolicy)) errors.notSupported(path, restartPolicy, resizePolicies)
    if (spec.restartPolicy === 'Never' && restartPolicy !== 'NotRequired')
      errors.invalid(path, namedText(restartPolicy), "must be 'NotRequired' when pod `restartPolicy` is 'Never'")
  })
}

/** Refuses a resize policy that restarts a container which is never restarted. */
function validateResizeOfInitContainer({ resizePolicy }: Container, path: Path, errors: FieldErrors): void {
  resizePolicy?.forEach(({ restartPolicy }, i) => {
    if (restartPolicy !== 'RestartContainer') return
    const why = "must not be set to 'RestartContainer' for non-sidecar initContainers"
    errors.invalid(path.index(i).child('restartPolicy'), restartPolicy, why)
  })
}

const policyForRules = 'must specify restartPolicy when restart rules are used'
const maxRestartRules = 20
const maxExitCodes = 255

/** Whether an exit code may restart all containers, and sidecars may have rules. An update may keep what a Pod has. */
export function mayRestartAll(old: PodSpec | undefined, errors: FieldErrors): boolean {
  if (errors.enabled('RestartAllContainersOnContainerExits')) return true
  const all = [...(old?.containers ?? []), ...(old?.initContainers ?? [])]
  return (
    all.some(({ restartPolicyRules }) => restartPolicyRules?.some(({ action }) => action === 'RestartAllContainers')) ||
    (old?.initContainers ?? []).some(c => c.restartPolicy === 'Always' && c.restartPolicyRules?.length)
  )
}

function validateRestartPolicy(container: Container, old: PodSpec | undefined, path: Path, errors: FieldErrors): void {
  const rules = container.restartPolicyRules ?? []
  if (container.restartPolicy === undefined) {
    if (rules.length > 0) errors.required(path.child('restartPolicy'), policyForRules)
  } else if (!restartPolicies.includes(container.restartPolicy))
    errors.notSupported(path.child('restartPolicy'), container.restartPolicy, restartPolicies)
  if (rules.length > maxRestartRules) errors.tooMany(path.child('restartPolicyRules'), rules.length, maxRestartRules)
  const actions = rules.length > 0 && mayRestartAll(old, errors) ? ['Restart', 'RestartAllContainers'] : ['Restart']
  for (const [i, rule] of rules.entries()) {
    const at = path.child('restartPolicyRules').index(i)
    if (!actions.includes(rule.action ?? '')) errors.notSupported(at.child('action'), rule.action ?? '', actions)
    if (!rule.exitCodes) {
      errors.required(at.child('exitCodes'), 'must be specified')
      continue
    }
    const operators = ['In', 'NotIn']
    const { operator = '', values = [] } = rule.exitCodes
    if (!operators.includes(operator)) errors.notSupported(at.child('exitCodes', 'operator'), operator, operators)
    if (values.length > maxExitCodes) errors.tooMany(at.child('exitCodes', 'values'), values.length, maxExitCodes)
  }
}
