import { ranges } from './number-ranges.js'
import { option } from './option.js'
import { bool, duration, InvalidValue, integer, numberIn, string, type ValueType } from './value-types.js'

const section = 'Auditing'
const count = integer('int', ranges.count)

const float: ValueType<number> = {
  label: 'float32',
  value: numberIn(ranges.rate),
  read(text) {
    if (!/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) throw new InvalidValue('must be a number such as 10 or 0.5')
    return Number(text)
  }
}

const events = 'events, in the mode batch'

/** The flags about where audit events go and how. Their values are checked together with the server's options. */
export const auditOptions = {
  auditPolicyFile: option({
    flag: 'audit-policy-file',
    isPath: true,
    section,
    type: string,
    default: undefined,
    help: 'The audit policy, which says which requests leave which audit events. Without it there are no events.'
  }),

  auditLogPath: option({
    flag: 'audit-log-path',
    isPath: true,
    section,
    type: string,
    default: undefined,
    help: 'File for audit events. - means standard output.'
  }),
  auditLogFormat: option({
    flag: 'audit-log-format',
    section,
    type: string,
    default: 'json',
    help: 'Form of the events: json, or legacy for one line of text each.'
  }),
  auditLogMaxSize: option({
    flag: 'audit-log-maxsize',
    section,
    // programs may give parts of a megabyte
    type: { ...count, value: numberIn(ranges.megabytes) },
    default: 100,
    help: 'Size in megabytes at which the file is renamed and a new one begins. 0 means never.'
  }),
  auditLogMaxAge: option({
    flag: 'audit-log-maxage',
    section,
    type: count,
    default: 366,
    help: 'Days for which old files are kept. 0 means for ever.'
  }),
  auditLogMaxBackup: option({
    flag: 'audit-log-maxbackup',
    section,
    type: count,
    default: 100,
    help: 'Number of old files to keep. 0 means all.'
  }),
  auditLogCompress: option({
    flag: 'audit-log-compress',
    section,
    type: bool,
    default: false,
    help: 'Compresses old files with gzip.'
  }),
  auditLogMode: option({
    flag: 'audit-log-mode',
    section,
    type: string,
    default: 'blocking',
    help: 'blocking: an answer waits until its event is written. blocking-strict: in addition, a request whose event cannot be written fails. batch: no request waits.'
  }),
  auditLogBatchBufferSize: option({
    flag: 'audit-log-batch-buffer-size',
    section,
    type: count,
    default: 10_000,
    help: `Number of waiting ${events}.`
  }),
  auditLogBatchMaxSize: option({
    flag: 'audit-log-batch-max-size',
    section,
    type: count,
    default: 1,
    help: `Number of jointly written ${events}.`
  }),
  auditLogBatchMaxWait: option({
    flag: 'audit-log-batch-max-wait',
    section,
    type: duration,
    default: 0,
    defaultText: '0s',
    help: 'How long an event waits for others, in the mode batch.'
  }),
  auditLogBatchThrottleEnable: option({
    flag: 'audit-log-batch-throttle-enable',
    section,
    type: bool,
    default: false,
    help: 'Limits the rate of batches.'
  }),
  auditLogBatchThrottleQPS: option({
    flag: 'audit-log-batch-throttle-qps',
    section,
    type: float,
    default: 0,
    help: 'Batches per second.'
  }),
  auditLogBatchThrottleBurst: option({
    flag: 'audit-log-batch-throttle-burst',
    section,
    type: count,
    default: 0,
    help: 'Batches at once after a pause.'
  }),
  auditLogTruncateEnabled: option({
    flag: 'audit-log-truncate-enabled',
    section,
    type: bool,
    default: false,
    help: 'Large events are written without the objects, and dropped if they are still too large.'
  }),
  auditLogTruncateMaxEventSize: option({
    flag: 'audit-log-truncate-max-event-size',
    section,
    type: count,
    default: 102_400,
    help: 'Maximum bytes of an event.'
  }),
  auditLogTruncateMaxBatchSize: option({
    flag: 'audit-log-truncate-max-batch-size',
    section,
    type: count,
    default: 10_485_760,
    help: 'Maximum bytes of a batch.'
  }),
  auditLogVersion: option({
    flag: 'audit-log-version',
    section,
    type: string,
    default: 'audit.k8s.io/v1',
    help: 'API version of the events.'
  }),

  auditWebhookConfigFile: option({
    flag: 'audit-webhook-config-file',
    isPath: true,
    section,
    type: string,
    default: undefined,
    help: 'Kubeconfig of a server to which audit events are sent.'
  }),
  auditWebhookInitialBackoff: option({
    flag: 'audit-webhook-initial-backoff',
    section,
    type: duration,
    default: 10_000,
    defaultText: '10s',
    help: 'Time before a failed call is made again for the first time.'
  }),
  auditWebhookMode: option({
    flag: 'audit-webhook-mode',
    section,
    type: string,
    default: 'batch',
    help: 'batch, blocking or blocking-strict: see --audit-log-mode.'
  }),
  auditWebhookBatchBufferSize: option({
    flag: 'audit-webhook-batch-buffer-size',
    section,
    type: count,
    default: 10_000,
    help: `Number of waiting ${events}.`
  }),
  auditWebhookBatchMaxSize: option({
    flag: 'audit-webhook-batch-max-size',
    section,
    type: count,
    default: 400,
    help: `Number of jointly sent ${events}.`
  }),
  auditWebhookBatchMaxWait: option({
    flag: 'audit-webhook-batch-max-wait',
    section,
    type: duration,
    default: 30_000,
    defaultText: '30s',
    help: 'How long an event waits for others, in the mode batch.'
  }),
  auditWebhookBatchThrottleEnable: option({
    flag: 'audit-webhook-batch-throttle-enable',
    section,
    type: bool,
    default: true,
    help: 'Limits the rate of batches.'
  }),
  auditWebhookBatchThrottleQPS: option({
    flag: 'audit-webhook-batch-throttle-qps',
    section,
    type: float,
    default: 10,
    help: 'Batches per second.'
  }),
  auditWebhookBatchThrottleBurst: option({
    flag: 'audit-webhook-batch-throttle-burst',
    section,
    type: count,
    default: 15,
    help: 'Batches at once after a pause.'
  }),
  auditWebhookTruncateEnabled: option({
    flag: 'audit-webhook-truncate-enabled',
    section,
    type: bool,
    default: false,
    help: 'Large events are sent without the objects, and dropped if they are still too large.'
  }),
  auditWebhookTruncateMaxEventSize: option({
    flag: 'audit-webhook-truncate-max-event-size',
    section,
    type: count,
    default: 102_400,
    help: 'Maximum bytes of an event.'
  }),
  auditWebhookTruncateMaxBatchSize: option({
    flag: 'audit-webhook-truncate-max-batch-size',
    section,
    type: count,
    default: 10_485_760,
    help: 'Maximum bytes of a batch.'
  }),
  auditWebhookVersion: option({
    flag: 'audit-webhook-version',
    section,
    type: string,
    default: 'audit.k8s.io/v1',
    help: 'API version of the events.'
  })
}
