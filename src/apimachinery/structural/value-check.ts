/**
 * Compiles a declared schema to a check of values. The check reports the errors of kube-apiserver's schema library
 * (kube-openapi), with the same messages in the same order, including its peculiarities.
 */

import { goQuote } from '../../util/go-format.js'
import { isObject, type JsonObject } from '../../util/json.js'
import type { JSONSchemaProps } from '../api/generated/apiextensions-v1.js'
import { oldItems, unchanged } from './correlation.js'
import { enumCheck } from './enum-keyword.js'
import { formatOf, isKnownFormat } from './formats.js'
import { goMapJson } from './go-map.js'
import { junctorCheck } from './junctors.js'
import { numberCheck } from './number-keywords.js'
import { stringCheck } from './string-keywords.js'
import { isSchema } from './structural.js'
import { typeCheck } from './type-keyword.js'
import type { Run } from './validation-run.js'

/**
 * `old` is the earlier state of the value on an update; undefined if there is none to compare with. Errors in an unchanged value
 * are ignored.
 */
export type Check = (value: unknown, run: Run, old?: unknown) => void

export interface CheckOptions {
  /** True to use the type of int-or-string and the formats literally as declared, as the validation of defaults does. */
  readonly literal?: boolean
}

/** `isRoot`: the schema describes whole values, so paths begin without a dot. */
export function compileCheck(source: JSONSchemaProps, options: CheckOptions = {}, isRoot = true): Check {
  const types =
    source['x-kubernetes-int-or-string'] && !options.literal ? ['integer', 'string'] : source.type ? [source.type] : []
  const { format: declared = '' } = source
  const format = options.literal || isKnownFormat(declared, types) ? declared : ''
  const only = types.length === 1 ? types[0] : undefined

  const ofType = typeCheck(types, format, source.nullable === true)
  const ofJunctors = junctorCheck(source, branch => compileCheck(branch, options, isRoot))
  const ofString = stringCheck(source)
  const isFormat = formatOf(format)
  const ofNumber = numberCheck(source, {
    name: only === 'integer' || only === 'number' ? only : undefined,
    format: isKnownFormat(declared, types) ? declared : ''
  })
  const ofList = listCheck(source, options)
  const ofEnum = enumCheck(source.enum)
  const ofObject = objectCheck(source, options, isRoot)

  return (value, run, old) => {
    const before = run.failures.length
    ofType?.(value, run)
    if (value === null) {
      ofEnum?.(value, run)
    } else {
      // one for each check that applies; alternatives are compared by this count
      run.matches += (ofType ? 1 : 0) + (typeof value === 'boolean' ? 4 : 5)
      ofJunctors?.(value, run)
      if (typeof value === 'string') {
        ofString?.(value, run)
        if (isFormat) {
          run.matches++
          if (!isFormat(value)) failFormat(format, value, run)
        }
      } else if (typeof value === 'number' || typeof value === 'bigint') ofNumber(value, run)
      else if (Array.isArray(value)) ofList(value, run, old)
      ofEnum?.(value, run)
      if (isObject(value)) ofObject(value, run, old)
    }
    if (old !== undefined && run.failures.length > before && unchanged(source, value, old)) run.cut(before)
  }
}

function failFormat(format: string, value: string, run: Run): void {
  const text = `${run.path} in body must be of type ${format}: ${goQuote(value)}`
  run.fail(text, (errors, at) => errors.typeInvalid(at, value, text))
}

function listCheck(source: JSONSchemaProps, options: CheckOptions): (value: unknown[], run: Run, old: unknown) => void {
  const { minItems, maxItems } = source
  const item = isSchema(source.items) ? compileCheck(source.items, options, false) : undefined
  return (value, run, old) => {
    if (item) {
      const oldItem = old === undefined ? undefined : oldItems(source, old)
      for (let i = 0; i < value.length; i++) {
        run.enter(i)
        item(value[i], run, oldItem?.(value[i]))
        run.leave()
      }
    }
    const { length } = value
    if (minItems !== undefined && length < minItems) run.invalid(length, `should have at least ${minItems} items`)
    if (maxItems !== undefined && length > maxItems) {
      run.fail(`${run.path} in body should have at most ${maxItems} items`, (errors, at) => errors.tooMany(at, length, maxItems))
    }
    if (source.uniqueItems && new Set(value.map(goMapJson)).size < length) {
      const text = `${run.path} in body shouldn't contain duplicates`
      run.fail(text, (errors, at) => errors.invalid(at, '', text))
    }
    run.matches++
  }
}

function objectCheck(
  source: JSONSchemaProps,
  options: CheckOptions,
  isRoot: boolean
): (value: JsonObject, run: Run, old: unknown) => void {
  const { minProperties, maxProperties, required = [], additionalProperties } = source
  const step = (name: string) => (isRoot ? name : `.${name}`)
  const fields = Object.entries(source.properties ?? {}).map(([name, schema]) => ({
    name,
    step: step(name),
    check: compileCheck(schema, options, false),
    // both sides were converted to one version, so equal values do not mean that the client left the field unchanged
    isTypeMeta: isRoot && (name === 'apiVersion' || name === 'kind')
  }))
  const known = new Map(fields.map((field, at) => [field.name, { ...field, at }]))
  /** Many small objects may have a schema with many fields. */
  const present = (value: JsonObject) => {
    const keys = Object.keys(value)
    if (keys.length > fields.length / 4) return fields.filter(({ name }) => Object.hasOwn(value, name))
    return keys.flatMap(key => known.get(key) ?? []).sort((a, b) => a.at - b.at)
  }
  const values = isSchema(additionalProperties) ? compileCheck(additionalProperties, options, false) : undefined

  return (value, run, oldValue) => {
    const old = isObject(oldValue) ? oldValue : undefined
    const oldOf = (key: string) => (old && Object.hasOwn(old, key) ? old[key] : undefined)
    if (minProperties !== undefined || maxProperties !== undefined) {
      const size = Object.keys(value).length
      if (minProperties !== undefined && size < minProperties)
        run.invalid(size, `should have at least ${minProperties} properties`)
      if (maxProperties !== undefined && size > maxProperties) {
        run.fail(`${run.path} in body should have at most ${maxProperties} properties`, (errors, at) =>
          errors.tooMany(at, size, maxProperties)
        )
      }
    }
    if (values || additionalProperties === false) {
      for (const key of Object.keys(value)) {
        if (known.has(key)) continue
        if (values) {
          run.enter(`.${key}`)
          values(value[key], run, oldOf(key))
          run.leave()
        } else {
          const text = `${run.path}.${key} in body is a forbidden property`
          run.fail(text, (errors, at) => errors.invalid(at, key, text))
        }
      }
    }
    for (const { name, step, check, isTypeMeta } of present(value)) {
      run.enter(step)
      check(value[name], run, isTypeMeta ? undefined : oldOf(name))
      run.leave()
    }
    run.spend(required.length)
    for (const name of required) {
      if (Object.hasOwn(value, name)) continue
      const path = `${run.path}.${name}`
      run.fail(`${path} in body is required`, (errors, at) => errors.required(at), path)
    }
  }
}
