import type {
  HTTPIngressPath,
  IngressBackend,
  IngressLoadBalancerStatus,
  IngressRule,
  IngressServiceBackend,
  IngressSpec,
  IngressTLS
} from '../../apimachinery/api/generated/networking-v1.js'
import { given } from '../../apimachinery/schema/given.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isIP, validateIP } from '../../apimachinery/validation/ip.js'
import {
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isPortName,
  isPortNumber,
  isWildcardDns1123Subdomain
} from '../../apimachinery/validation/names.js'
import { validateTypedReference } from './typed-reference.js'

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix']
const neverInPaths = ['//', '/./', '/../', '%2f', '%2F']
const neverAtEnds = ['/..', '/.']
const notAnAddress = 'must be a DNS name, not an IP address'

type NameRule = (name: string) => string[]

/** `old` is the spec before an update. */
export function validateIngressSpec(spec: IngressSpec, path: Path, errors: FieldErrors, old?: IngressSpec): void {
  const { defaultBackend, rules, tls, ingressClassName } = spec
  const nameErrors = errors.enabled('RelaxedServiceNameValidation') || usesRelaxedNames(old) ? isDns1123Label : isDns1035Label
  if (!rules?.length && !defaultBackend)
    errors.invalid(path, given(spec, 'rules'), 'either `defaultBackend` or `rules` must be specified')
  if (defaultBackend) validateBackend(defaultBackend, nameErrors, path.child('defaultBackend'), errors)
  rules?.forEach((rule, i) => void validateRule(rule, nameErrors, path.child('rules').index(i), errors))
  tls?.forEach((entry, i) => void validateTls(entry, path.child('tls').index(i), errors))
  if (ingressClassName !== undefined)
    for (const e of isDns1123Subdomain(ingressClassName)) errors.invalid(path.child('ingressClassName'), ingressClassName, e)
}

const hostErrors = (host: string) => (host.includes('*') ? isWildcardDns1123Subdomain(host) : isDns1123Subdomain(host))

/** Whether an Ingress names Services in the way that KEP-5311 allows. An Ingress that already does may continue to. */
function usesRelaxedNames({ defaultBackend, rules }: IngressSpec = {}): boolean {
  const backends = [defaultBackend, ...(rules ?? []).flatMap(({ http }) => (http?.paths ?? []).map(({ backend }) => backend))]
  return backends.some(
    backend =>
      backend?.service && isDns1123Label(backend.service.name).length === 0 && isDns1035Label(backend.service.name).length > 0
  )
}

function validateRule({ host, http }: IngressRule, nameErrors: NameRule, path: Path, errors: FieldErrors): void {
  if (host) {
    const at = path.child('host')
    if (isIP(host)) errors.invalid(at, host, notAnAddress)
    for (const e of hostErrors(host)) errors.invalid(at, host, e)
  }
  if (!http) return
  const at = path.child('http', 'paths')
  if (!http.paths?.length) errors.required(at)
  http.paths?.forEach((entry, i) => void validatePath(entry, nameErrors, at.index(i), errors))
}

function validatePath(
  { path: value = '', pathType, backend }: HTTPIngressPath,
  nameErrors: NameRule,
  path: Path,
  errors: FieldErrors
): void {
  const at = path.child('path')
  // Go writes the field always, as null when it is not set
  if (pathType === undefined || pathType === null) {
    errors.required(path.child('pathType'), 'pathType must be specified')
    return
  }
  const exact = pathType === 'Exact' || pathType === 'Prefix'
  if (!pathTypes.includes(pathType)) errors.notSupported(path.child('pathType'), pathType, pathTypes)
  else if (!value.startsWith('/') && (exact || value !== '')) errors.invalid(at, value, 'must be an absolute path')
  if (exact) {
    for (const sequence of neverInPaths) if (value.includes(sequence)) errors.invalid(at, value, `must not contain '${sequence}'`)
    for (const end of neverAtEnds) if (value.endsWith(end)) errors.invalid(at, value, `cannot end with '${end}'`)
  }
  validateBackend(backend, nameErrors, path.child('backend'), errors)
}

function validateBackend({ resource, service }: IngressBackend, nameErrors: NameRule, path: Path, errors: FieldErrors): void {
  if (resource && service) errors.invalid(path, '', 'cannot set both resource and service backends')
  else if (resource) validateTypedReference(resource, path.child('resource'), errors)
  else if (service) validateService(service, nameErrors, path, errors)
  else errors.invalid(path, '', 'resource or service backend is required')
}

/** `path` is the backend's, which errors about the port as a whole name. */
function validateService({ name, port }: IngressServiceBackend, nameErrors: NameRule, path: Path, errors: FieldErrors): void {
  const at = path.child('service')
  if (name === '') errors.required(at.child('name'))
  else for (const e of nameErrors(name)) errors.invalid(at.child('name'), name, e)
  if (port.name && port.number) errors.invalid(path, '', 'cannot set both port name & port number')
  else if (port.name) for (const e of isPortName(port.name)) errors.invalid(at.child('port', 'name'), port.name, e)
  else if (port.number) for (const e of isPortNumber(port.number)) errors.invalid(at.child('port', 'number'), port.number, e)
  else errors.required(path, 'port name or number is required')
}

function validateTls({ hosts, secretName }: IngressTLS, path: Path, errors: FieldErrors): void {
  hosts?.forEach((host, i) => {
    for (const e of hostErrors(host)) errors.invalid(path.child('hosts').index(i), host, e)
  })
  if (secretName) for (const e of isDns1123Subdomain(secretName)) errors.invalid(path.child('secretName'), secretName, e)
}

export function validateLoadBalancer(
  { ingress = [] }: IngressLoadBalancerStatus,
  old: IngressLoadBalancerStatus,
  path: Path,
  errors: FieldErrors
): void {
  const known = new Set((old.ingress ?? []).flatMap(({ ip }) => ip ?? []))
  ingress.forEach(({ ip, hostname }, i) => {
    const at = path.child('ingress').index(i)
    if (ip) validateIP(ip, at.child('ip'), errors, known)
    if (!hostname) return
    for (const e of isDns1123Subdomain(hostname)) errors.invalid(at.child('hostname'), hostname, e)
    if (isIP(hostname)) errors.invalid(at.child('hostname'), hostname, notAnAddress)
  })
}
