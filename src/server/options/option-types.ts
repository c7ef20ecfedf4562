/** The types of all options, for callers in JavaScript, who have no compiler to check them. */
import { isMap, type ValueType, valueTypes } from '../../util/members.js'
import type { ProgramOptions } from '../options.js'
import { optionTable } from './table.js'

const { text, boolean, textsByName, object, objects, function: fn } = valueTypes

/** The options that only programs can give. */
const programTypes: Readonly<Record<keyof ProgramOptions, ValueType>> = {
  seed: text,
  listen: boolean,
  unref: boolean,
  processMetrics: boolean,
  flags: textsByName,
  store: object,
  log: object,
  clock: object,
  auditPolicy: object,
  auditWrite: fn,
  recorder: { what: 'true, false or an object', is: value => typeof value === 'boolean' || isMap(value) },
  kinds: objects,
  authenticators: objects,
  authorizers: objects,
  admissionPlugins: objects,
  reconcilers: objects,
  simulate: { what: 'true, false or an object', is: value => typeof value === 'boolean' || isMap(value) }
}

/** The types of all options by name. */
export const optionTypes: Readonly<Record<string, ValueType>> = {
  ...programTypes,
  ...Object.fromEntries(Object.entries(optionTable).map(([name, { type }]) => [name, type.value]))
}
