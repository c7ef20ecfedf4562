/** Selector and template of Deployments and ReplicaSets. */
import type { PodTemplateSpec } from '../../api/generated/core-v1.js'
import type { LabelSelector } from '../../api/generated/meta-v1.js'
import type { FieldErrors, Path } from '../../validation/field.js'
import { validatePodTemplate } from '../core/pod-template.js'
import {
  isValidSelector,
  selectorText,
  validateOwnerSelector,
  validateRunsForever,
  validateSelectorMatches
} from '../pod-owner.js'

interface ReplicaSpec {
  readonly replicas?: number | undefined
  readonly selector?: LabelSelector | undefined
  readonly template: PodTemplateSpec
}

export function validateReplicaTemplate(
  { replicas = 0, selector, template }: ReplicaSpec,
  path: Path,
  errors: FieldErrors
): void {
  validateOwnerSelector(selector, 'deployment', path.child('selector'), errors)
  if (!isValidSelector(selector)) {
    errors.invalid(path.child('selector'), selectorText(selector), 'invalid label selector')
    return
  }
  const at = path.child('template')
  validateSelectorMatches(selector, template, at, errors)
  validatePodTemplate(template, at, errors)
  if (replicas > 1) validateSharedDisks(template, at, errors)
  validateRunsForever(template, 'ReplicaSet', at, errors)
}

/** A disk that several Pods mount must be read-only. */
export function validateSharedDisks({ spec }: PodTemplateSpec, path: Path, errors: FieldErrors): void {
  spec.volumes?.forEach(({ gcePersistentDisk }, i) => {
    if (!gcePersistentDisk || gcePersistentDisk.readOnly) return
    const at = path.child('spec', 'volumes').index(i).child('GCEPersistentDisk', 'ReadOnly')
    errors.invalid(
      at,
      false,
      'must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only'
    )
  })
}
