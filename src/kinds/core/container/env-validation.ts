import type {
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  ObjectFieldSelector,
  ResourceFieldSelector
} from '../../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { plainText } from '../../../apimachinery/validation/go-value.js'
import {
  isConfigMapKey,
  isDns1123Label,
  isDns1123Subdomain,
  isQualifiedName,
  isRelaxedEnvVarName
} from '../../../apimachinery/validation/names.js'
import { validateNoBacksteps } from '../volume/local-path.js'

/** Fields that environment variables and downward API volumes may refer to. */
const envFields = new Set([
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs'
])
const volumeFields = new Set(['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'])
/** All fields that the downward API has. */
const knownFields = new Set([...envFields, ...volumeFields, 'spec.restartPolicy', 'spec.schedulerName', 'status.phase'])

const resources = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory'
]

export function validateEnv(env: readonly EnvVar[], path: Path, errors: FieldErrors): void {
  env.forEach((variable, i) => {
    const at = path.index(i)
    if (!variable.name) errors.required(at.child('name'))
    else for (const e of isRelaxedEnvVarName(variable.name)) errors.invalid(at.child('name'), variable.name, e)
    if (variable.valueFrom) validateValueFrom(variable, variable.valueFrom, at.child('valueFrom'), errors)
  })
}

function validateValueFrom(variable: EnvVar, from: EnvVarSource, path: Path, errors: FieldErrors): void {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = from
  if (fieldRef) validateFieldRef(fieldRef, 'env', path.child('fieldRef'), errors)
  if (resourceFieldRef) validateResourceFieldRef(resourceFieldRef, 'env', path.child('resourceFieldRef'), errors)
  if (configMapKeyRef) validateKeyRef(configMapKeyRef, path.child('configMapKeyRef'), errors)
  if (secretKeyRef) validateKeyRef(secretKeyRef, path.child('secretKeyRef'), errors)
  if (fileKeyRef) {
    const at = path.child('fileKeyRef')
    if (!fileKeyRef.key) errors.required(at.child('key'))
    else for (const e of isRelaxedEnvVarName(fileKeyRef.key)) errors.invalid(at.child('key'), fileKeyRef.key, e)
    if (!fileKeyRef.volumeName) errors.required(at.child('volumeName'))
    else for (const e of isDns1123Label(fileKeyRef.volumeName)) errors.invalid(at.child('volumeName'), fileKeyRef.volumeName, e)
    if (!fileKeyRef.path) errors.required(at.child('path'))
    else validateNoBacksteps(fileKeyRef.path, at.child('path'), errors)
  }
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(Boolean).length
  if (sources === 0)
    errors.invalid(
      path,
      '',
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'
    )
  else if (variable.value) errors.invalid(path, '', 'may not be specified when `value` is not empty')
  else if (sources > 1) errors.invalid(path, '', 'may not have more than one field specified at a time')
}

function validateKeyRef(ref: { name?: string | undefined; key: string }, path: Path, errors: FieldErrors): void {
  const name = ref.name ?? ''
  for (const e of isDns1123Subdomain(name)) errors.invalid(path.child('name'), name, e)
  if (!ref.key) errors.required(path.child('key'))
  else for (const e of isConfigMapKey(ref.key)) errors.invalid(path.child('key'), ref.key, e)
}

/** metadata.labels['key'] */
const subscripted = /^(metadata\.(?:labels|annotations)|[^[]*)\['(.*)'\]$/s

export function validateFieldRef(ref: ObjectFieldSelector, use: 'env' | 'volume', path: Path, errors: FieldErrors): void {
  if (!ref.apiVersion) return errors.required(path.child('apiVersion'))
  if (!ref.fieldPath) return errors.required(path.child('fieldPath'))
  const at = path.child('fieldPath')
  if (ref.apiVersion !== 'v1')
    return errors.invalid(at, ref.fieldPath, `error converting fieldPath: unsupported pod version: ${ref.apiVersion}`)
  const match = subscripted.exec(ref.fieldPath)
  if (match) {
    const [, field, key] = match as unknown as [string, string, string]
    if (field === 'metadata.annotations') for (const e of isQualifiedName(key.toLowerCase())) errors.invalid(path, key, e)
    else if (field === 'metadata.labels') for (const e of isQualifiedName(key)) errors.invalid(path, key, e)
    else errors.invalid(at, ref.fieldPath, `error converting fieldPath: field label does not support subscript: ${ref.fieldPath}`)
    return
  }
  const fields = use === 'env' ? envFields : volumeFields
  if (!knownFields.has(ref.fieldPath))
    errors.invalid(at, ref.fieldPath, `error converting fieldPath: field label not supported: ${ref.fieldPath}`)
  else if (!fields.has(ref.fieldPath)) errors.notSupported(at, ref.fieldPath, [...fields].sort())
}

const cpuDivisors = ['1m', '1']
const byteDivisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei']

export function validateResourceFieldRef(
  ref: ResourceFieldSelector,
  use: 'env' | 'volume',
  path: Path,
  errors: FieldErrors
): void {
  if (use === 'volume' && !ref.containerName) errors.required(path.child('containerName'))
  else if (!ref.resource) errors.required(path.child('resource'))
  else if (!resources.includes(ref.resource) && !/^(limits|requests)\.hugepages-/.test(ref.resource))
    errors.notSupported(path.child('resource'), plainText(ref.resource), resources)
  const { divisor } = ref
  if (divisor === undefined || divisor === '0') return
  const wrong = (what: string, allowed: readonly string[]) => {
    const list = allowed.length === 2 ? allowed.join(' and ') : allowed.join(', ')
    if (!allowed.includes(divisor))
      errors.invalid(path.child('divisor'), ref.resource, `only divisor's values ${list} are supported with the ${what} resource`)
  }
  const [, what = ''] = ref.resource.split(/\.(.*)/s)
  if (what === 'cpu') wrong('cpu', cpuDivisors)
  else if (what === 'memory') wrong('memory', byteDivisors)
  else if (what === 'ephemeral-storage') wrong('local ephemeral storage', byteDivisors)
  else if (what.startsWith('hugepages-')) wrong('hugepages', byteDivisors)
}

export function validateEnvFrom(sources: readonly EnvFromSource[], path: Path, errors: FieldErrors): void {
  sources.forEach((source, i) => {
    const at = path.index(i)
    if (source.prefix) for (const e of isRelaxedEnvVarName(source.prefix)) errors.invalid(at.child('prefix'), source.prefix, e)
    for (const kind of ['configMapRef', 'secretRef'] as const) {
      const ref = source[kind]
      if (!ref) continue
      if (!ref.name) errors.required(at.child(kind, 'name'))
      else for (const e of isDns1123Subdomain(ref.name)) errors.invalid(at.child(kind, 'name'), ref.name, e)
    }
    if (!source.configMapRef && !source.secretRef) errors.invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`')
    else if (source.configMapRef && source.secretRef)
      errors.invalid(path, '', 'may not have more than one field specified at a time')
  })
}
