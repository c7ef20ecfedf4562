/**
 * A peculiarity of kube-apiserver: it compares fields that are owned as a whole as Go values. A Go quantity remembers its text once it
 * has been formatted. So a quantity behind a pointer, as in an autoscaler's metrics, differs from an equal one if only one of the two
 * has been formatted. A manager that updates such an object therefore becomes the owner, whatever it changed.
 */

import { isObject } from '../../util/json.js'
import { keepsText } from '../../util/quantity.js'
import { holders } from '../schema/holders.js'
import type { Type } from '../schema/model.js'
import type { Place } from './place.js'

/** Whether values of a type may contain such quantities. Custom resources have none. */
const holds = holders(({ pointer, type }) => isPointer(pointer, type))

const isPointer = (pointer: boolean, type: Type) => pointer && type.kind === 'scalar' && type.scalar === 'quantity'

/** Whether a value that is owned as a whole seems changed to Go. */
export const seemsNew = ({ type }: Place, value: unknown): boolean => type.kind !== 'scalar' && holds(type) && found(type, value)

function found(type: Type, value: unknown): boolean {
  if (!holds(type)) return false
  if (type.kind === 'list') return Array.isArray(value) && value.some(item => found(type.items, item))
  if (!isObject(value)) return false
  if (type.kind === 'map') return Object.values(value).some(item => found(type.values, item))
  if (type.kind !== 'struct') return false
  return type.fields.some(field => {
    const child = value[field.name]
    return isPointer(field.pointer, field.type) ? typeof child === 'string' && !keepsText(child) : found(field.type, child)
  })
}
