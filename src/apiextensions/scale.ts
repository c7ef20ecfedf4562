/** The scale subresource of custom resources, whose definition names simple paths such as ".spec.replicas". */
import type { CustomResourceDefinition, CustomResourceSubresourceScale } from '../apimachinery/api/generated/apiextensions-v1.js'
import type { ReplicasPlace } from '../apimachinery/fieldmanager/scale.js'
import { badRequest, plainError } from '../apimachinery/status/status.js'
import { isInt64 } from '../apimachinery/structural/go-number.js'
import type { FieldErrors } from '../apimachinery/validation/field.js'
import type { WholeFloats } from '../apimachinery/validation/whole-floats.js'
import type { KubeObject } from '../registry/kind.js'
import { noReplicas } from '../registry/scale.js'
import type { ScaleSubresource } from '../registry/subresource.js'
import { goFloat, goQuote, goType, goValue } from '../util/go-format.js'
import { getKey, isObject, type JsonObject, setKey } from '../util/json.js'

const maxReplicas = 2 ** 31 - 1

const stepsOf = (path: string) => path.replace(/^\./, '').split('.')

/** Returns the value at a path, or an error text when a value on the way has the wrong type. `floats`: of the object. */
function lookUp(
  object: unknown,
  path: string,
  wanted: 'int64' | 'string',
  floats?: WholeFloats
): { value?: unknown; problem?: string } {
  const steps = stepsOf(path)
  const mismatch = (count: number, value: unknown, type: string) => ({
    problem: `.${steps.slice(0, count).join('.')} accessor error: ${goValue(value)} is of the type ${value === null ? '<nil>' : goType(value)}, expected ${type}`
  })
  let value = object
  for (const [i, step] of steps.entries()) {
    if (value === null) return {}
    if (!isObject(value)) return mismatch(i + 1, value, 'map[string]interface{}')
    value = getKey(value, step)
    if (value === undefined) return {}
  }
  const isFloat = floats?.get(steps.join('.')) === value
  if (isFloat)
    return {
      problem: `.${steps.join('.')} accessor error: ${goFloat(value as number)} is of the type float64, expected ${wanted}`
    }
  const fits = wanted === 'string' ? typeof value === 'string' : isInt64(value as number)
  return fits ? { value } : mismatch(steps.length, value, wanted)
}

/** Returns where each version of a definition has its replicas, for the version whose path is `own`. */
function placeOf(own: string, { group, versions }: CustomResourceDefinition['spec']): ReplicasPlace {
  const paths = new Map<string, readonly string[] | undefined>(
    versions!.map(({ name, subresources }) => {
      const path = subresources?.scale?.specReplicasPath
      return [`${group}/${name}`, path === undefined ? undefined : stepsOf(path)] as const
    })
  )
  return { own: stepsOf(own), of: apiVersion => paths.get(apiVersion ?? '') }
}

export function customScale(
  { specReplicasPath, statusReplicasPath, labelSelectorPath = '' }: CustomResourceSubresourceScale,
  spec: CustomResourceDefinition['spec']
): ScaleSubresource<KubeObject> {
  const replicasPlace = placeOf(specReplicasPath, spec)
  const read = (object: unknown, path: string, wanted: 'int64' | 'string') => {
    const { value, problem } = lookUp(object, path, wanted)
    if (problem) throw plainError(problem)
    return value
  }
  return {
    replicasPlace,
    replicas: object => (read(object, specReplicasPath, 'int64') as number | undefined) ?? 0,
    setReplicas(object, replicas) {
      const steps = stepsOf(specReplicasPath)
      let parent = object as unknown as JsonObject
      if (replicas === noReplicas) throw badRequest(`the spec replicas field ${goQuote(specReplicasPath)} cannot be empty`)
      for (const [i, step] of steps.slice(0, -1).entries()) {
        const next = getKey(parent, step)
        if (isObject(next)) parent = next
        else if (next !== undefined) {
          const place = `.${steps.slice(0, i + 1).join('.')}`
          throw plainError(`value cannot be set because ${place} is not a map[string]interface{}`)
        } else {
          const made: JsonObject = {}
          setKey(parent, step, made)
          parent = made
        }
      }
      setKey(parent, steps.at(-1)!, replicas)
    },
    statusReplicas: object => (read(object, statusReplicasPath, 'int64') as number | undefined) ?? 0,
    selector: object =>
      labelSelectorPath === '' ? '' : ((read(object, labelSelectorPath, 'string') as string | undefined) ?? ''),
    whyUnreadable: object =>
      read(object, specReplicasPath, 'int64') === undefined
        ? `the spec replicas field ${goQuote(specReplicasPath)} does not exist`
        : undefined
  }
}

/** Validates the values at the paths, which must fit into a Scale. `part` 'status' leaves out the replicas of the spec. */
export function validateScaleFields(
  { specReplicasPath, statusReplicasPath, labelSelectorPath = '' }: CustomResourceSubresourceScale,
  object: unknown,
  errors: FieldErrors,
  part: 'all' | 'status' = 'all'
): void {
  if (part === 'all') validateReplicas(specReplicasPath, object, errors)
  validateReplicas(statusReplicasPath, object, errors)
  if (labelSelectorPath === '') return
  const { problem } = lookUp(object, labelSelectorPath, 'string')
  if (problem) errors.invalid(labelSelectorPath, '', problem)
}

function validateReplicas(path: string, object: unknown, errors: FieldErrors): void {
  const { value = 0, problem } = lookUp(object, path, 'int64', errors.floats)
  const replicas = value as number | bigint
  if (problem) errors.invalid(path, 0, problem)
  else if (replicas < 0) errors.invalid(path, replicas, 'should be a non-negative integer')
  else if (replicas > maxReplicas) errors.invalid(path, replicas, `should be less than or equal to ${maxReplicas}`)
}
