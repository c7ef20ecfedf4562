/**
 * Flags of kube-apiserver that change nothing here. They are accepted with the value that says what Binnacle does anyway, nearly always
 * the default, and refused with any other: a flag that is ignored would promise something.
 */
import { readDuration } from '../../util/go-duration.js'
import { type Flag, flag } from './flag.js'
import { knownFlags } from './generated/known-flags.js'
import { InvalidValue, type ValueType } from './value-types.js'

interface Fixed {
  /** Why the flag has no other value; completes the sentence "… : …". */
  readonly reason: string
  /** Values beside the default with the same meaning. */
  readonly also?: readonly string[]
}

const because = (reason: string, ...also: string[]): Fixed => ({ reason, also })

const fixed: Readonly<Record<string, Fixed>> = {
  'send-retry-after-while-not-ready-once': because('the server listens only when it is ready'),
  'storage-initialization-timeout': because('the server listens only when its storage is ready'),

  'delete-collection-workers': because('objects of a collection are deleted one after the other'),
  'etcd-count-metric-poll-period': because('the watch caches know the number of objects without asking etcd'),
  'storage-media-type': because('objects are stored as JSON, which kube-apiserver reads, too', 'application/json'),
  'watch-cache': because('every resource has a watch cache'),
  'watch-cache-sizes': because('the sizes of watch caches follow the budgets in bytes'),

  'permit-address-sharing': because('Node.js always sets SO_REUSEADDR on sockets that listen', 'true'),

  'contention-profiling': because('there are no locks to profile'),

  'admission-control': because('it was replaced by --enable-admission-plugins and --disable-admission-plugins'),
  'log-flush-frequency': because('lines are written at once'),
  'log-text-info-buffer-size': because('lines are written at once'),
  vmodule: because('files have no verbosity of their own'),

  'enable-logs-handler': because('the path /logs is not served')
}

/** Flags that are accepted with any value. */
const forConnections: Readonly<Record<string, string>> = {
  'kubelet-timeout': 'Has no effect, as in kube-apiserver: streams to kubelets have no limit of time.'
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

/** Returns the section in the help, which has a single one for storage. */
function sectionOf(section: string): string {
  return section === 'Etcd' ? 'Storage' : section
}

function fixedFlag({ type, standard, section }: (typeof ofSection)[number], { reason, also = [] }: Fixed): Flag<undefined> {
  const allowed = [standard, ...also]
  const accepted = new Set(allowed.map(text => normal(type, text)))
  const shown = allowed.map(text => text || zero(type)).join(' or ')
  const value: ValueType<undefined> = {
    label: type,
    ...(type === 'bool' ? { implicit: 'true' } : {}),
    read(text) {
      if (!accepted.has(normal(type, text))) throw new InvalidValue(`must be ${shown}: ${reason}`)
      return undefined
    }
  }
  return flag({ section, type: value, default: undefined, defaultText: standard, description: `Must be ${shown}: ${reason}.` })
}

/** Returns the default of a flag for which kube-apiserver's help shows none. */
function zero(type: string): string {
  if (type === 'bool') return 'false'
  if (type === 'duration') return '0s'
  return isNumber(type) ? '0' : '""'
}

const isNumber = (type: string) => /^(?:int|float|quantity)/.test(type)

/** A type that accepts any value. */
const ignored = (label: string): ValueType<string> => ({ label, read: text => text })

function acceptedFlag(known: (typeof ofSection)[number]): Flag<any> | undefined {
  const { name, type, section } = known
  if (Object.hasOwn(fixed, name)) return fixedFlag(known, fixed[name]!)
  const description = Object.hasOwn(forConnections, name) ? forConnections[name] : undefined
  return description === undefined
    ? undefined
    : flag<string | undefined>({ section, type: ignored(type), default: undefined, description })
}

export const fixedFlags: Readonly<Record<string, Flag<any>>> = Object.fromEntries(
  ofSection.flatMap((known): [string, Flag<any>][] => {
    const accepted = acceptedFlag(known)
    return accepted ? [[known.name, accepted]] : []
  })
)
