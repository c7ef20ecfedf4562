/** Flags that kube-apiserver still accepts, with a warning. */

import { type Flag, flag } from '../../server/options/flag.js'
import { ranges } from '../../server/options/number-ranges.js'
import { duration, integer, type ValueType } from '../../server/options/value-types.js'

/** The text of the warning, by the flag's name. */
const deprecations: Readonly<Record<string, string>> = {
  'admission-control':
    'Use --enable-admission-plugins or --disable-admission-plugins instead. Will be removed in a future version.',
  'apiserver-count': 'apiserver-count is deprecated and will be removed in a future version.',
  'audit-webhook-batch-initial-backoff': 'Deprecated, use --audit-webhook-initial-backoff instead.',
  'default-watch-cache-size': 'watch caches are sized automatically and this flag will be removed in a future version',
  'enable-logs-handler': 'Log handler functionality is deprecated',
  'kubelet-port': 'kubelet-port is deprecated and will be removed.',
  'kubelet-read-only-port': 'kubelet-read-only-port is deprecated and will be removed.'
}

const count = integer('int', ranges.count)

const unused = (type: ValueType<number>): Flag<number | undefined> =>
  flag<number | undefined>({ section: 'Misc', type, default: undefined, help: 'Deprecated, and without effect.' })

/** Flags that the help leaves out. Those of `unused` only cause their warning. */
export const hiddenFlags = {
  'audit-webhook-batch-initial-backoff': flag<number | undefined>({
    section: 'Misc',
    type: duration,
    default: undefined,
    formerNameOf: 'audit-webhook-initial-backoff',
    help: 'Former name of --audit-webhook-initial-backoff.'
  }),
  'default-watch-cache-size': unused(count),
  'kubelet-port': unused(count),
  'kubelet-read-only-port': unused(count)
}

/** The warnings of the flags that were given, in the words of Go's flag library. */
export const deprecationWarnings = (given: ReadonlySet<string>): string[] =>
  [...given].flatMap(name =>
    Object.hasOwn(deprecations, name) ? [`Flag --${name} has been deprecated, ${deprecations[name]}`] : []
  )
