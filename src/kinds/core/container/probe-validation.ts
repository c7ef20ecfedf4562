import type {
  Container,
  HTTPGetAction,
  Lifecycle,
  LifecycleHandler,
  PodSpec,
  Probe
} from '../../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { namedText } from '../../../apimachinery/validation/go-value.js'
import { isPortName, isPortNumber } from '../../../apimachinery/validation/names.js'
import { validateStopSignal } from './stop-signal-validation.js'

export function validateProbes(container: Container, path: Path, errors: FieldErrors): void {
  const { livenessProbe, readinessProbe, startupProbe } = container
  if (livenessProbe) {
    validateProbe(livenessProbe, path.child('livenessProbe'), errors)
    mustSucceedOnce(livenessProbe, path.child('livenessProbe'), errors)
  }
  if (readinessProbe) {
    validateProbe(readinessProbe, path.child('readinessProbe'), errors)
    const grace = readinessProbe.terminationGracePeriodSeconds
    if (grace !== undefined)
      errors.invalid(path.child('readinessProbe', 'terminationGracePeriodSeconds'), grace, 'must not be set for readinessProbes')
  }
  if (startupProbe) {
    validateProbe(startupProbe, path.child('startupProbe'), errors)
    mustSucceedOnce(startupProbe, path.child('startupProbe'), errors)
  }
}

function mustSucceedOnce(probe: Probe, path: Path, errors: FieldErrors): void {
  if (probe.successThreshold !== 1) errors.invalid(path.child('successThreshold'), probe.successThreshold, 'must be 1')
}

function validateProbe(probe: Probe, path: Path, errors: FieldErrors): void {
  validateHandler(probe, path, errors)
  for (const field of [
    'initialDelaySeconds',
    'timeoutSeconds',
    'periodSeconds',
    'successThreshold',
    'failureThreshold'
  ] as const) {
    const value = probe[field]
    if (value !== undefined && value < 0) errors.invalid(path.child(field), value, 'must be greater than or equal to 0')
  }
  const grace = probe.terminationGracePeriodSeconds
  if (grace !== undefined && grace <= 0)
    errors.invalid(path.child('terminationGracePeriodSeconds'), grace, 'must be greater than 0')
}

export function validateLifecycle(lifecycle: Lifecycle | undefined, spec: PodSpec, path: Path, errors: FieldErrors): void {
  const { postStart, preStop } = lifecycle ?? {}
  if (postStart) validateHandler(postStart, path.child('postStart'), errors, spec)
  if (preStop) validateHandler(preStop, path.child('preStop'), errors, spec)
  validateStopSignal(lifecycle?.stopSignal, spec, path.child('stopSignal'), errors)
}

/** Requires exactly one handler. Only lifecycle hooks may have `sleep`; they pass the Pod's `spec`. */
function validateHandler(handler: Probe & LifecycleHandler, path: Path, errors: FieldErrors, spec?: PodSpec): void {
  let found = false
  const only = (field: string, validate: (at: Path) => void) => {
    if (found) return errors.forbidden(path.child(field), 'may not specify more than 1 handler type')
    found = true
    validate(path.child(field))
  }
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler
  if (exec) only('exec', at => void (exec.command?.length || errors.required(at.child('command'))))
  if (httpGet) only('httpGet', at => validateHttpGet(httpGet, at, errors))
  if (tcpSocket) only('tcpSocket', at => validatePort(tcpSocket.port, at.child('port'), errors))
  if (grpc)
    only('grpc', at => {
      validatePort(grpc.port, at.child('port'), errors)
      if (grpc.mode !== undefined && !grpcModes.includes(grpc.mode)) errors.notSupported(at.child('mode'), grpc.mode, grpcModes)
    })
  if (sleep && spec) {
    only('sleep', at => {
      const grace = spec.terminationGracePeriodSeconds ?? 30
      const { seconds } = sleep
      if (seconds < 0 || seconds > grace)
        errors.invalid(at, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${grace})`)
    })
  }
  if (!found) errors.required(path, 'must specify a handler type')
}

const schemes = ['HTTP', 'HTTPS']
const protocols = ['HTTP1', 'HTTP2']
const grpcModes = ['Plaintext', 'TLS']
const headerName = /^[-A-Za-z0-9]+$/

function validateHttpGet(action: HTTPGetAction, path: Path, errors: FieldErrors): void {
  if (!action.path) errors.required(path.child('path'))
  validatePort(action.port, path.child('port'), errors)
  if (!schemes.includes(action.scheme ?? '')) errors.notSupported(path.child('scheme'), action.scheme, schemes)
  for (const { name } of action.httpHeaders ?? []) {
    if (!headerName.test(name)) {
      const example = "(e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')"
      errors.invalid(
        path.child('httpHeaders'),
        name,
        `a valid HTTP header must consist of alphanumeric characters or '-' ${example}`
      )
    }
  }
  validateProtocol(action, path, errors)
}

/** HTTP/2 is spoken without TLS (H2C). */
function validateProtocol({ protocol, scheme, host }: HTTPGetAction, path: Path, errors: FieldErrors): void {
  if (protocol === undefined) return
  const at = path.child('protocol')
  if (!protocols.includes(protocol)) errors.notSupported(at, protocol, protocols)
  else if (protocol === 'HTTP2' && scheme !== 'HTTP') errors.invalid(at, namedText(protocol), 'is only supported with HTTP (H2C)')
  else if (protocol === 'HTTP2' && host) errors.invalid(path.child('host'), host, 'must be empty when `protocol` is "HTTP2"')
}

export function validatePort(port: number | string, path: Path, errors: FieldErrors): void {
  for (const e of typeof port === 'number' ? isPortNumber(port) : isPortName(port)) errors.invalid(path, port, e)
}
