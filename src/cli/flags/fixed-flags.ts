/**
 * Flags of kube-apiserver that change nothing here. Those that only tune its machinery are accepted with any value that kube-apiserver accepts, and the log says
 * what happens instead. One that promises something else is accepted with the value that says what Binnacle does anyway.
 */

import { type Flag, flag } from '../../server/options/flag.js'
import { bool, InvalidValue, type ValueType } from '../../server/options/value-types.js'
import { readDuration } from '../../util/go-duration.js'
import { valueTypes } from '../../util/members.js'
import { parseQuantity } from '../../util/quantity.js'
import { knownFlags } from './generated/known-flags.js'

/** Why a flag has no other value; completes the sentence "Must be …: …". */
const fixed: Readonly<Record<string, string>> = {
  'enable-logs-handler': 'the path /logs is not served'
}

/** What happens instead; completes the sentence "Has no effect: …". */
const tuning: Readonly<Record<string, string>> = {
  'storage-initialization-timeout': 'the server listens only when its storage is ready',

  'delete-collection-workers': 'objects of a collection are deleted one after the other',
  'etcd-db-metric-poll-interval': 'the size of the store is asked for when metrics are',
  'etcd-count-metric-poll-period': 'the watch caches know the number of objects without asking etcd',
  'storage-media-type': 'objects are stored as JSON, which kube-apiserver reads, too',
  'watch-cache': 'every resource has a watch cache',
  'watch-cache-sizes': 'the sizes of watch caches follow the budgets in bytes',

  'permit-address-sharing': 'Node.js always sets SO_REUSEADDR on sockets that listen',

  'contention-profiling': 'there are no locks to profile',

  'log-flush-frequency': 'lines are written at once',
  'log-json-info-buffer-size': 'lines are written at once',
  'log-text-info-buffer-size': 'lines are written at once',
  vmodule: 'files have no verbosity of their own',

  'kubelet-timeout': 'streams to kubelets have no limit of time, as in kube-apiserver'
}

const mediaTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', 'application/cbor']

/** What kube-apiserver asks of the text of some flags, beside its type. */
const rules: Readonly<Record<string, (text: string) => string | undefined>> = {
  'storage-media-type': text => (text === '' || mediaTypes.includes(text) ? undefined : mediaTypes.join(', ')),
  'watch-cache-sizes': text =>
    text.split(',').every(size => size === '' || /^[^#]+#\d{1,9}$/.test(size))
      ? undefined
      : 'resource[.group]#size, separated by commas',
  vmodule: text =>
    text.split(',').every(one => one === '' || /^[^=]+=\d{1,9}$/.test(one)) ? undefined : 'pattern=N, separated by commas'
}

function isQuantity(text: string): boolean {
  try {
    parseQuantity(text)
    return true
  } catch {
    return false
  }
}

/** What the text of a flag of a Go type has to be; undefined if it is that. */
function problemOf(name: string, type: string, text: string): string | undefined {
  if (Object.hasOwn(rules, name)) return rules[name]!(text)
  switch (type) {
    case 'int':
      return /^[-+]?\d{1,18}$/.test(text) ? undefined : 'a whole number'
    case 'duration':
      return typeof readDuration(text) === 'string' ? 'a duration such as 5m or 1h30m' : undefined
    case 'quantity':
      return text === '' || isQuantity(text) ? undefined : 'a quantity such as 1Mi'
    default:
      return undefined
  }
}

/** Normalises a value, so that texts with the same meaning for kube-apiserver are equal. */
function normal(type: string, text: string): string {
  if (type === 'bool') return /^(?:1|t|true)$/i.test(text) ? 'true' : /^(?:|0|f|false)$/i.test(text) ? 'false' : text
  if (type === 'duration') {
    const milliseconds = readDuration(text === '' ? '0' : text)
    return typeof milliseconds === 'string' ? text : String(milliseconds)
  }
  if (isNumber(type)) return /^[-+]?\d+(?:\.\d+)?$/.test(text) ? String(Number(text)) : text || '0'
  return text
}

const ofSection = Object.entries(knownFlags).flatMap(([section, flags]) =>
  Object.entries(flags).map(([name, [type, standard]]) => ({ name, type, standard, section: sectionOf(section) }))
)

type KnownFlag = (typeof ofSection)[number]

/** Returns the section in the help, which has a single one for storage. */
function sectionOf(section: string): string {
  return section === 'Etcd' ? 'Storage' : section
}

function fixedFlag({ name, type, standard, section }: KnownFlag): Flag<undefined> {
  const reason = fixed[name]!
  const shown = standard || zero(type)
  const value: ValueType<undefined> = {
    label: type,
    value: valueTypes.text,
    ...(type === 'bool' ? { implicit: 'true' } : {}),
    read(text) {
      if (normal(type, text) !== normal(type, standard)) throw new InvalidValue(`must be ${shown}: ${reason}`)
      return undefined
    }
  }
  return flag({ section, type: value, default: undefined, defaultText: standard, help: `Must be ${shown}: ${reason}.` })
}

function tuningFlag({ name, type, standard, section }: KnownFlag): Flag<string | undefined> {
  const value: ValueType<string> = {
    label: type,
    value: valueTypes.text,
    ...(type === 'bool' ? { implicit: 'true' } : {}),
    read(text, previous) {
      if (type === 'bool') return String(bool.read(text, undefined))
      const problem = problemOf(name, type, text)
      if (problem !== undefined) throw new InvalidValue(`must be ${problem}`)
      return type === 'strings' && previous ? `${previous},${text}` : text
    }
  }
  const help = `Has no effect: ${tuning[name]}.`
  return flag<string | undefined>({ section, type: value, default: undefined, defaultText: standard, help })
}

/** What the log says about the flags that were given and have no effect, unless their value is kube-apiserver's default. */
export function notesOnTuning(values: Readonly<Record<string, unknown>>): string[] {
  return ofSection.flatMap(({ name, type, standard }) => {
    const given = Object.hasOwn(tuning, name) ? values[name] : undefined
    if (typeof given !== 'string' || normal(type, given) === normal(type, standard)) return []
    return [`--${name}=${JSON.stringify(given)} has no effect: ${tuning[name]}`]
  })
}

/** Returns the default of a flag for which kube-apiserver's help shows none. */
function zero(type: string): string {
  if (type === 'bool') return 'false'
  if (type === 'duration') return '0s'
  return isNumber(type) ? '0' : '""'
}

const isNumber = (type: string) => /^(?:int|float|quantity)/.test(type)

function acceptedFlag(known: KnownFlag): Flag<any> | undefined {
  if (Object.hasOwn(fixed, known.name)) return fixedFlag(known)
  return Object.hasOwn(tuning, known.name) ? tuningFlag(known) : undefined
}

export const fixedFlags: Readonly<Record<string, Flag<any>>> = Object.fromEntries(
  ofSection.flatMap((known): [string, Flag<any>][] => {
    const accepted = acceptedFlag(known)
    return accepted ? [[known.name, accepted]] : []
  })
)
