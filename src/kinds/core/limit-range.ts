import type { LimitRange, LimitRangeItem } from '../../api/generated/core-v1.js'
import { defineKind } from '../../registry/kind.js'
import { compareQuantity, parseQuantity } from '../../util/quantity.js'
import { type FieldErrors, Path } from '../../validation/field.js'
import { isQualifiedName } from '../../validation/names.js'
import { commonColumn } from '../columns.js'

export const limitRange = defineKind<LimitRange>({
  group: '',
  kind: 'LimitRange',
  resource: 'limitranges',
  shortNames: ['limits'],
  namespaced: true,
  versions: [{ name: 'v1', type: 'core.v1.LimitRange' }],
  columns: [
    { ...commonColumn('Name') },
    {
      name: 'Created At',
      type: 'date',
      description:
        'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
      value: o => o.metadata.creationTimestamp
    }
  ],
  default({ spec }) {
    for (const item of spec.limits ?? []) if (item.type === 'Container') defaultContainerLimits(item)
  },
  validate({ spec }, errors) {
    const types = new Set<string>()
    spec.limits?.forEach((item, i) => {
      const at = Path.of('spec', 'limits').index(i)
      validateItem(item, at, errors)
      if (types.has(item.type)) errors.duplicate(at.child('type'), item.type)
      types.add(item.type)
    })
  }
})

/** The most is also the default, the default also the request, and the least is requested where nothing else is said. */
function defaultContainerLimits(item: LimitRangeItem): void {
  const fill = (target: 'default' | 'defaultRequest', from: Record<string, string> | undefined) => {
    for (const [name, quantity] of Object.entries(from ?? {})) {
      item[target] ??= {}
      if (!Object.hasOwn(item[target], name)) item[target][name] = quantity
    }
  }
  fill('default', item.max)
  fill('defaultRequest', item.default)
  fill('defaultRequest', item.min)
}

function validateItem(item: LimitRangeItem, path: Path, errors: FieldErrors): void {
  for (const e of item.type ? isQualifiedName(item.type) : []) errors.invalid(path.child('type'), item.type, e)
  if (!item.type) errors.required(path.child('type'))
  const { min = {}, max = {}, default: byDefault = {}, defaultRequest = {}, maxLimitRequestRatio = {} } = item
  if (item.type === 'Pod') {
    for (const field of ['default', 'defaultRequest'] as const) {
      if (Object.keys(item[field] ?? {}).length > 0)
        errors.forbidden(path.child(field), "may not be specified when `type` is 'Pod'")
    }
  }
  const storage = [min.storage, max.storage].some(Boolean)
  if (item.type === 'PersistentVolumeClaim' && !storage)
    errors.required(path.child('limits'), 'either minimum or maximum storage value is required, but neither was provided')
  const greater = (a: string | undefined, b: string | undefined) =>
    a !== undefined && b !== undefined && compareQuantity(parseQuantity(a), parseQuantity(b)) > 0
  const names = new Set([min, max, byDefault, defaultRequest, maxLimitRequestRatio].flatMap(list => Object.keys(list)))
  for (const name of [...names].sort()) {
    const [least, most, limit, request, ratio] = [
      min[name],
      max[name],
      byDefault[name],
      defaultRequest[name],
      maxLimitRequestRatio[name]
    ]
    if (greater(least, most))
      errors.invalid(path.child('min').key(name), least, `min value ${least} is greater than max value ${most}`)
    if (greater(least, request))
      errors.invalid(
        path.child('defaultRequest').key(name),
        request,
        `min value ${least} is greater than default request value ${request}`
      )
    if (greater(request, most))
      errors.invalid(
        path.child('defaultRequest').key(name),
        request,
        `default request value ${request} is greater than max value ${most}`
      )
    if (greater(request, limit))
      errors.invalid(
        path.child('defaultRequest').key(name),
        request,
        `default request value ${request} is greater than default limit value ${limit}`
      )
    if (greater(least, limit))
      errors.invalid(path.child('default').key(name), least, `min value ${least} is greater than default value ${limit}`)
    if (greater(limit, most))
      errors.invalid(path.child('default').key(name), most, `default value ${limit} is greater than max value ${most}`)
    if (ratio !== undefined && greater('1', ratio))
      errors.invalid(path.child('maxLimitRequestRatio').key(name), ratio, `ratio ${ratio} is less than 1`)
  }
}
