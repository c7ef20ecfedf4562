/** Refuses rules that could do nothing, with an error that names the field. */
import { isObject } from '../../util/json.js'
import { suggest } from '../../util/suggest.js'
import { UserError } from '../../util/user-error.js'
import { resourceProblem } from './check-resource.js'
import type { FaultRule } from './rule.js'

const isText = (value: unknown) => typeof value === 'string' && value !== ''
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value)
const isFailure = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 400 && (value as number) <= 599
const oneOf = (...values: readonly string[]): Check => ({
  what: values
    .map(value => JSON.stringify(value))
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1'),
  is: value => values.includes(value as string)
})

interface Check {
  /** Completes "must be …". */
  readonly what: string
  is(value: unknown): boolean
}

const text: Check = { what: 'a string that is not empty', is: isText }
/** How many texts a list may have: each becomes a function, and every request may be compared with all of them. */
const maxTexts = 100
const texts: Check = {
  what: `a string or a list of strings, none of them empty, at most ${maxTexts}`,
  is: value => isText(value) || (Array.isArray(value) && value.length > 0 && value.length <= maxTexts && value.every(isText))
}
const count: Check = { what: 'an integer of at least 0', is: isCount }

const verbs = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'proxy',
  'post',
  'put',
  'head',
  'options',
  '*'
]
const resourcePattern = /^(\*|[a-z0-9][-a-z0-9]*(\.[-a-z0-9.]*)?)(\/(\*|[a-z0-9][-a-z0-9]*))?$/

const fields: Readonly<Record<keyof FaultRule, Check>> = {
  verb: texts,
  resource: texts,
  path: { what: 'a path that begins with /', is: value => isText(value) && (value as string).startsWith('/') },
  name: text,
  namespace: text,
  user: text,
  userAgent: text,
  after: count,
  times: { what: 'an integer of at least 1', is: value => isCount(value) && value !== 0 },
  probability: { what: 'a number from 0 to 1', is: value => isNumber(value) && (value as number) >= 0 && (value as number) <= 1 },
  seed: { what: 'a number', is: isNumber },
  random: { what: 'a function', is: value => typeof value === 'function' },
  delay: { what: 'milliseconds, at least 0', is: value => isNumber(value) && (value as number) >= 0 },
  status: {
    what: 'a code from 400 to 599, a Status with such a code, or a StatusError',
    is: value => isFailure(value) || (isObject(value) && isFailure(value.code))
  },
  reset: { what: 'true', is: value => value === true },
  cutAfter: count,
  watch: { what: 'an object with `do`', is: isObject },
  storage: oneOf('timeout', 'lostAnswer', 'noQuorum'),
  webhook: text,
  error: {
    what: '"refused", "timeout" or a status code from 400 to 599',
    is: value => value === 'refused' || value === 'timeout' || isFailure(value)
  }
}
const watchFields = { afterEvents: count, do: oneOf('expire', 'close', 'stall', 'halfFrame') }

/** The fields of a rule, and of its field `watch`. */
export const faultFields = { rule: Object.keys(fields), watch: Object.keys(watchFields) }

const actions = ['status', 'reset', 'cutAfter', 'watch', 'storage', 'webhook'] as const

/** Throws a UserError that names the field that is wrong. */
export function checkRule(rule: FaultRule): void {
  if (!isObject(rule as unknown)) throw new UserError('a fault must be an object')
  checkFields(rule, fields, '')
  const given = actions.filter(action => rule[action] !== undefined)
  if (given.length > 1) throw wrong(given[1]!, `cannot stand beside ${given[0]}: a fault does one thing`)
  if (given.length === 0 && rule.delay === undefined)
    throw new UserError(`the fault does nothing: it needs one of delay, ${actions.join(', ')}`)
  if (rule.watch !== undefined) {
    if (rule.delay !== undefined) throw wrong('delay', 'cannot stand beside watch')
    checkFields(rule.watch, watchFields, 'watch.')
    if (rule.watch.do === undefined) throw wrong('watch.do', `must be ${watchFields.do.what}`)
    if (rule.verb !== undefined && ![rule.verb].flat().some(verb => verb === 'watch' || verb === '*'))
      throw wrong('verb', 'must be "watch" for a fault of watches')
  }
  if ((rule.webhook === undefined) !== (rule.error === undefined))
    throw rule.webhook === undefined ? wrong('error', 'is for webhook') : wrong('error', `must be ${fields.error.what}`)
  if (rule.path !== undefined && rule.resource !== undefined) throw wrong('path', 'cannot stand beside resource')
  for (const verb of [rule.verb ?? []].flat())
    if (!verbs.includes(verb)) throw wrong('verb', `has no verb ${JSON.stringify(verb)}${meant(verb, verbs)}`)
  for (const resource of [rule.resource ?? []].flat()) {
    if (!resourcePattern.test(resource))
      throw wrong('resource', `must be like "pods", "deployments.apps", "pods/status" or "*", not ${JSON.stringify(resource)}`)
    const problem = resourceProblem(resource)
    if (problem !== undefined) throw wrong('resource', problem)
  }
}

const wrong = (field: string, why: string) => new UserError(`the field ${field} of the fault ${why}`)

const meant = (word: string, known: Iterable<string>) => {
  const near = suggest(word, known)
  return near === undefined ? '' : `; did you mean ${near}?`
}

function checkFields(value: object, known: Readonly<Record<string, Check>>, prefix: string): void {
  for (const [name, given] of Object.entries(value)) {
    if (!Object.hasOwn(known, name))
      throw new UserError(`unknown field ${JSON.stringify(prefix + name)} of the fault${meant(name, Object.keys(known))}`)
    if (given !== undefined && !known[name]!.is(given)) throw wrong(prefix + name, `must be ${known[name]!.what}`)
  }
}
