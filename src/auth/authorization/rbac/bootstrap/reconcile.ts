/**
 * Finds what an existing default role or binding lacks. Additions by administrators stay, and an object whose annotation
 * autoupdate is "false" does not change.
 */

import type { LabelSelector } from '../../../../apimachinery/api/generated/meta-v1.js'
import type { ClusterRole, ClusterRoleBinding, RoleRef, Subject } from '../../../../apimachinery/api/generated/rbac-v1.js'
import { equalJson } from '../../../../util/json.js'
import { uncovered } from '../coverage.js'
import { autoUpdate, type DefaultBinding, type DefaultRole } from './default-policy.js'

export type Change = 'recreate' | ((object: any) => void)

/** Returns what the present role lacks; undefined when it lacks nothing. */
export function changeOfRole(present: ClusterRole, wanted: DefaultRole): Change | undefined {
  if (isProtected(present)) return undefined
  const rules = equalJson(present.rules, wanted.rules) ? [] : uncovered(present.rules ?? [], wanted.rules ?? []).rules
  const selectors = missingSelectors(present, wanted)
  const tooMuch = present.aggregationRule !== undefined && wanted.aggregationRule === undefined
  if (hasMetadata(present, wanted) && rules.length === 0 && selectors.length === 0 && !tooMuch) return undefined
  return object => {
    addMetadata(object, wanted)
    if (rules.length > 0) object.rules = [...(object.rules ?? []), ...rules]
    if (tooMuch) delete object.aggregationRule
    else if (selectors.length > 0)
      object.aggregationRule = { clusterRoleSelectors: [...(object.aggregationRule?.clusterRoleSelectors ?? []), ...selectors] }
  }
}

export function changeOfBinding(present: ClusterRoleBinding, wanted: DefaultBinding): Change | undefined {
  if (isProtected(present)) return undefined
  if (!isSameRole(present.roleRef, wanted.roleRef)) return 'recreate'
  const subjects = (wanted.subjects ?? []).filter(subject => !present.subjects?.some(other => isSameSubject(subject, other)))
  if (hasMetadata(present, wanted) && subjects.length === 0) return undefined
  return object => {
    addMetadata(object, wanted)
    if (subjects.length > 0) object.subjects = [...(object.subjects ?? []), ...subjects]
  }
}

type Present = Pick<ClusterRole, 'metadata'>
type Wanted = Pick<DefaultRole, 'metadata'>

const isProtected = ({ metadata }: Present) => metadata.annotations?.[autoUpdate] === 'false'

const hasMetadata = ({ metadata }: Present, wanted: Wanted): boolean =>
  (['labels', 'annotations'] as const).every(field =>
    Object.keys(wanted.metadata[field]).every(key => Object.hasOwn(metadata[field] ?? {}, key))
  )

function addMetadata({ metadata }: any, wanted: Wanted): void {
  for (const field of ['labels', 'annotations'] as const) metadata[field] = { ...wanted.metadata[field], ...metadata[field] }
}

function missingSelectors({ aggregationRule }: ClusterRole, wanted: DefaultRole): LabelSelector[] {
  const present = aggregationRule?.clusterRoleSelectors ?? []
  return (wanted.aggregationRule?.clusterRoleSelectors ?? []).filter(s => !present.some(other => equalJson(s, other)))
}

const isSameRole = (a: RoleRef, b: RoleRef) => a.apiGroup === b.apiGroup && a.kind === b.kind && a.name === b.name

const isSameSubject = (a: Subject, b: Subject) =>
  a.kind === b.kind &&
  a.name === b.name &&
  (a.apiGroup ?? '') === (b.apiGroup ?? '') &&
  (a.namespace ?? '') === (b.namespace ?? '')
