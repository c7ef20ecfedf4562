import type { APIService, APIServiceSpec } from '../../apimachinery/api/generated/apiregistration-v1.js'
import { age } from '../../apimachinery/formats/table.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isDns1035Label, isDns1123Subdomain, isPathSegmentName, isPortNumber } from '../../apimachinery/validation/names.js'
import { changesThenAsNew } from '../../registry/checks.js'
import { keepField } from '../../registry/keep.js'
import { defineKind } from '../../registry/kind.js'
import { timestamp } from '../../util/time.js'
import { builtinColumns } from '../columns.js'

const conditionStatuses = ['True', 'False', 'Unknown']
const maxGroupPriority = 20000
const maxVersionPriority = 1000

export const apiService = defineKind<APIService>({
  group: 'apiregistration.k8s.io',
  kind: 'APIService',
  resource: 'apiservices',
  categories: ['api-extensions'],
  namespaced: false,
  validateName(name, _, { spec: { group = '', version = '' } }) {
    const wrong = isPathSegmentName(name)
    if (wrong.length > 0) return wrong
    const wanted = `${version}.${group}`
    return name === wanted ? [] : [`must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`]
  },
  versions: [{ name: 'v1', type: 'apiregistration.v1.APIService' }],
  storage: {
    path: 'apiregistration.k8s.io/apiservices',
    // it has the same fields
    storedForms: { 'apiregistration.k8s.io/v1beta1': object => object }
  },
  table: {
    columns: builtinColumns<APIService>('apiregistration.k8s.io/apiservices', {
      Name: o => o.metadata.name,
      Service: o => (o.spec.service ? `${o.spec.service.namespace ?? ''}/${o.spec.service.name ?? ''}` : 'Local'),
      Available: shownAvailability,
      Age: age
    })
  },
  strategy: {
    allowUnconditionalUpdate: false,
    resetFields: { '': { 'f:status': {} }, status: { 'f:spec': {}, 'f:metadata': {} } },
    default({ spec }) {
      if (spec.service) spec.service.port ??= 443
    },
    prepareForCreate(o, { now }) {
      o.status = {}
      if (o.spec.service) return
      const message = 'Local APIServices are always available'
      o.status.conditions = [{ type: 'Available', status: 'True', lastTransitionTime: timestamp(now), reason: 'Local', message }]
    },
    updateChecks: changesThenAsNew,
    validate({ spec }, errors) {
      const { group = '', version = '' } = spec
      const at = Path.of('spec')
      if (group === '' && version !== 'v1')
        errors.required(at.child('group'), 'only v1 may have an empty group and it better be legacy kube')
      if (group !== '') for (const e of isDns1123Subdomain(group)) errors.invalid(at.child('group'), group, e)
      for (const e of isDns1035Label(version)) errors.invalid(at.child('version'), version, e)
      validatePriority(spec.groupPriorityMinimum, maxGroupPriority, at.child('groupPriorityMinimum'), errors)
      validatePriority(spec.versionPriority, maxVersionPriority, at.child('versionPriority'), errors)
      validateService(spec, at, errors)
    }
  },
  subresources: {
    status: {
      columns: false,
      metadata: 'all',
      // a deletionTimestamp is not dropped but refused, other than by the kinds with metadata 'reset'
      prepareForUpdate(o, old) {
        for (const field of ['labels', 'annotations', 'finalizers', 'ownerReferences']) keepField(o.metadata, old.metadata, field)
      },
      validateUpdate({ status }, _, errors) {
        status.conditions?.forEach((condition, i) => {
          if (!conditionStatuses.includes(condition.status))
            errors.notSupported(Path.of('status', 'conditions').index(i).child('status'), condition.status, conditionStatuses)
        })
      }
    }
  }
})

function shownAvailability({ status }: APIService): string {
  const condition = status.conditions?.find(c => c.type === 'Available')
  if (!condition) return 'Unknown'
  return condition.status === 'True' ? 'True' : `${condition.status} (${condition.reason ?? ''})`
}

function validatePriority(priority: number, max: number, path: Path, errors: FieldErrors): void {
  if (priority <= 0 || priority > max) errors.invalid(path, priority, `must be positive and less than ${max}`)
}

function validateService(
  { service, caBundle = '', insecureSkipTLSVerify = false }: APIServiceSpec,
  at: Path,
  errors: FieldErrors
): void {
  if (!service) {
    if (caBundle !== '')
      errors.invalid(
        at.child('caBundle'),
        `${Buffer.byteLength(caBundle, 'base64')} bytes`,
        'local APIServices may not have a caBundle'
      )
    if (insecureSkipTLSVerify)
      errors.invalid(at.child('insecureSkipTLSVerify'), true, 'local APIServices may not have insecureSkipTLSVerify')
    return
  }
  if (!service.namespace) errors.required(at.child('service', 'namespace'))
  if (!service.name) errors.required(at.child('service', 'name'))
  if (service.port !== undefined)
    for (const e of isPortNumber(service.port))
      errors.invalid(at.child('service', 'port'), service.port, `port is not valid: ${e}`)
  if (insecureSkipTLSVerify && caBundle !== '')
    errors.invalid(at.child('insecureSkipTLSVerify'), true, 'may not be true if caBundle is present')
}
