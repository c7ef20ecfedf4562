import { ranges } from '../../server/number-ranges.js'
import { flag } from './flag.js'
import { bool, duration, InvalidValue, integer, string, type ValueType } from './value-types.js'

const section = 'Auditing'
const count = integer('int', ranges.count)

const float: ValueType<number> = {
  label: 'float32',
  read(text) {
    if (!/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) throw new InvalidValue('must be a number such as 10 or 0.5')
    return Number(text)
  }
}

const events = 'events, in the mode batch'

/** The flags about where audit events go and how. Their values are checked together with the server's options. */
export const auditFlags = {
  'audit-policy-file': flag({
    section,
    type: string,
    default: undefined,
    description: 'The audit policy, which says which requests leave which audit events. Without it there are no events.'
  }),

  'audit-log-path': flag({
    section,
    type: string,
    default: undefined,
    description: 'File for audit events. - means standard output.'
  }),
  'audit-log-format': flag({
    section,
    type: string,
    default: 'json',
    description: 'Form of the events: json, or legacy for one line of text each.'
  }),
  'audit-log-maxsize': flag({
    section,
    type: count,
    default: 100,
    description: 'Size in megabytes at which the file is renamed and a new one begins. 0 means never.'
  }),
  'audit-log-maxage': flag({
    section,
    type: count,
    default: 366,
    description: 'Days for which old files are kept. 0 means for ever.'
  }),
  'audit-log-maxbackup': flag({ section, type: count, default: 100, description: 'Number of old files to keep. 0 means all.' }),
  'audit-log-compress': flag({ section, type: bool, default: false, description: 'Compresses old files with gzip.' }),
  'audit-log-mode': flag({
    section,
    type: string,
    default: 'blocking',
    description:
      'blocking: an answer waits until its event is written. blocking-strict: in addition, a request whose event cannot be written fails. batch: no request waits.'
  }),
  'audit-log-batch-buffer-size': flag({ section, type: count, default: 10_000, description: `Number of waiting ${events}.` }),
  'audit-log-batch-max-size': flag({ section, type: count, default: 1, description: `Number of jointly written ${events}.` }),
  'audit-log-batch-max-wait': flag({
    section,
    type: duration,
    default: 0,
    defaultText: '0s',
    description: 'How long an event waits for others, in the mode batch.'
  }),
  'audit-log-batch-throttle-enable': flag({ section, type: bool, default: false, description: 'Limits the rate of batches.' }),
  'audit-log-batch-throttle-qps': flag({ section, type: float, default: 0, description: 'Batches per second.' }),
  'audit-log-batch-throttle-burst': flag({ section, type: count, default: 0, description: 'Batches at once after a pause.' }),
  'audit-log-truncate-enabled': flag({
    section,
    type: bool,
    default: false,
    description: 'Large events are written without the objects, and dropped if they are still too large.'
  }),
  'audit-log-truncate-max-event-size': flag({
    section,
    type: count,
    default: 102_400,
    description: 'Maximum bytes of an event.'
  }),
  'audit-log-truncate-max-batch-size': flag({
    section,
    type: count,
    default: 10_485_760,
    description: 'Maximum bytes of a batch.'
  }),
  'audit-log-version': flag({
    section,
    type: string,
    default: 'audit.k8s.io/v1',
    description: 'API version of the events.'
  }),

  'audit-webhook-config-file': flag({
    section,
    type: string,
    default: undefined,
    description: 'Kubeconfig of a server to which audit events are sent.'
  }),
  'audit-webhook-initial-backoff': flag({
    section,
    type: duration,
    default: 10_000,
    defaultText: '10s',
    description: 'Time before a failed call is made again for the first time.'
  }),
  'audit-webhook-mode': flag({
    section,
    type: string,
    default: 'batch',
    description: 'batch, blocking or blocking-strict: see --audit-log-mode.'
  }),
  'audit-webhook-batch-buffer-size': flag({ section, type: count, default: 10_000, description: `Number of waiting ${events}.` }),
  'audit-webhook-batch-max-size': flag({ section, type: count, default: 400, description: `Number of jointly sent ${events}.` }),
  'audit-webhook-batch-max-wait': flag({
    section,
    type: duration,
    default: 30_000,
    defaultText: '30s',
    description: 'How long an event waits for others, in the mode batch.'
  }),
  'audit-webhook-batch-throttle-enable': flag({ section, type: bool, default: true, description: 'Limits the rate of batches.' }),
  'audit-webhook-batch-throttle-qps': flag({ section, type: float, default: 10, description: 'Batches per second.' }),
  'audit-webhook-batch-throttle-burst': flag({
    section,
    type: count,
    default: 15,
    description: 'Batches at once after a pause.'
  }),
  'audit-webhook-truncate-enabled': flag({
    section,
    type: bool,
    default: false,
    description: 'Large events are sent without the objects, and dropped if they are still too large.'
  }),
  'audit-webhook-truncate-max-event-size': flag({
    section,
    type: count,
    default: 102_400,
    description: 'Maximum bytes of an event.'
  }),
  'audit-webhook-truncate-max-batch-size': flag({
    section,
    type: count,
    default: 10_485_760,
    description: 'Maximum bytes of a batch.'
  }),
  'audit-webhook-version': flag({
    section,
    type: string,
    default: 'audit.k8s.io/v1',
    description: 'API version of the events.'
  })
}
