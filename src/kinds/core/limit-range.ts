import type { LimitRange, LimitRangeItem } from '../../apimachinery/api/generated/core-v1.js'
import { quantityIn } from '../../apimachinery/schema/read-quantities.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { namedText } from '../../apimachinery/validation/go-value.js'
import { isQualifiedName } from '../../apimachinery/validation/names.js'
import { asNewThenOwnChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { own, setKey } from '../../util/json.js'
import { compareQuantities, integerValue, maxMilliValue, milliValue, type Quantity } from '../../util/quantity.js'
import { validateContainerResourceName } from './container/resources.js'
import { canBeOvercommitted, validateResourceName } from './resource-names.js'

export const limitRange = defineKind<LimitRange>({
  group: '',
  kind: 'LimitRange',
  resource: 'limitranges',
  shortNames: ['limits'],
  namespaced: true,
  versions: [{ name: 'v1', type: 'core.v1.LimitRange' }],
  strategy: {
    allowCreateOnUpdate: true,
    default({ spec }) {
      for (const item of spec.limits ?? []) if (item.type === 'Container') defaultContainerLimits(item)
    },
    prepareForCreate({ metadata }, { services }) {
      metadata.name ||= services.random.uuid()
    },
    updateChecks: asNewThenOwnChanges,
    validate({ spec }, errors) {
      const types = new Set<string>()
      spec.limits?.forEach((item, i) => {
        const at = Path.of('spec', 'limits').index(i)
        validateType(item.type, at.child('type'), errors)
        if (types.has(item.type)) errors.duplicate(at.child('type'), namedText(item.type))
        types.add(item.type)
        validateItem(item, at, errors)
      })
    }
  }
})

/** Sets the defaults: `default` becomes `max`, and `defaultRequest` becomes `default`, or else `min`. */
function defaultContainerLimits(item: LimitRangeItem): void {
  const fill = (target: 'default' | 'defaultRequest', from: Record<string, string> | undefined) => {
    for (const [name, quantity] of Object.entries(from ?? {})) {
      item[target] ??= {}
      if (!Object.hasOwn(item[target], name)) setKey(item[target], name, quantity)
    }
  }
  fill('default', item.max)
  fill('defaultRequest', item.default)
  fill('defaultRequest', item.min)
}

const standardTypes = ['Pod', 'Container', 'PersistentVolumeClaim']

function validateType(type: string, path: Path, errors: FieldErrors): void {
  const wrong = isQualifiedName(type)
  for (const e of wrong) errors.invalid(path, namedText(type), e)
  if (wrong.length === 0 && !type.includes('/') && !standardTypes.includes(type))
    errors.invalid(path, namedText(type), 'must be a standard limit type or fully qualified')
}

function validateItem(item: LimitRangeItem, path: Path, errors: FieldErrors): void {
  const names = new Set<string>()
  for (const field of ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const) {
    const list = Object.keys(item[field] ?? {})
    if (item.type === 'Pod' && (field === 'default' || field === 'defaultRequest')) {
      if (list.length > 0) errors.forbidden(path.child(field), "may not be specified when `type` is 'Pod'")
      continue
    }
    for (const name of list) {
      const rule = item.type === 'Pod' || item.type === 'Container' ? validateContainerResourceName : validateResourceName
      rule(name, path.child(field).key(name), errors)
      names.add(name)
    }
  }
  if (item.type === 'PersistentVolumeClaim' && item.min?.storage === undefined && item.max?.storage === undefined)
    errors.required(path.child('limits'), 'either minimum or maximum storage value is required, but neither was provided')
  for (const name of [...names].sort()) validateAmounts(item, name, path, errors)
}

function validateAmounts(item: LimitRangeItem, name: string, path: Path, errors: FieldErrors): void {
  const ofPod = item.type === 'Pod'
  const [least, most, ratio] = [own(item.min, name), own(item.max, name), own(item.maxLimitRequestRatio, name)]
  const [limit, request] = ofPod ? [] : [own(item.default, name), own(item.defaultRequest, name)]
  const greater = (a: string | undefined, b: string | undefined) =>
    a !== undefined && b !== undefined && compareQuantities(a, b) > 0
  const wrong = (field: keyof LimitRangeItem, value: string | undefined, why: string) =>
    errors.invalid(path.child(field).key(name), value, why)
  if (greater(least, most)) wrong('min', least, `min value ${least} is greater than max value ${most}`)
  if (greater(least, request))
    wrong('defaultRequest', request, `min value ${least} is greater than default request value ${request}`)
  if (greater(request, most))
    wrong('defaultRequest', request, `default request value ${request} is greater than max value ${most}`)
  if (greater(request, limit))
    wrong('defaultRequest', request, `default request value ${request} is greater than default limit value ${limit}`)
  if (greater(least, limit)) wrong('default', least, `min value ${least} is greater than default value ${limit}`)
  if (greater(limit, most)) wrong('default', most, `default value ${limit} is greater than max value ${most}`)
  if (ratio !== undefined && greater('1', ratio)) wrong('maxLimitRequestRatio', ratio, `ratio ${ratio} is less than 1`)
  if (ratio !== undefined && least !== undefined && most !== undefined) {
    const [r, x, y] = [item.maxLimitRequestRatio, item.max, item.min].map(list => quantityIn(list!, name)) as [
      Quantity,
      Quantity,
      Quantity
    ]
    const inThousandths = [r, x, y].every(quantity => integerValue(quantity) < maxMilliValue)
    const unit = inThousandths ? milliValue : integerValue
    const greatest = Number(unit(x)) / Number(unit(y))
    if (Number(unit(r)) / (inThousandths ? 1000 : 1) > greatest)
      wrong('maxLimitRequestRatio', ratio, `ratio ${ratio} is greater than max/min = ${fixed(greatest)}`)
  }
  if (!canBeOvercommitted(name) && limit !== undefined && request !== undefined && compareQuantities(limit, request) !== 0)
    wrong('defaultRequest', request, `default value ${limit} must equal to defaultRequest value ${request} in ${name}`)
}

/** Formats a number as Go's %f does. */
const fixed = (value: number) => (Number.isFinite(value) ? value.toFixed(6) : value > 0 ? '+Inf' : value < 0 ? '-Inf' : 'NaN')
