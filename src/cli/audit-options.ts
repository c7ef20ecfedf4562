import { resolve } from 'node:path'
import type { AuditOptions } from '../apiserver/audit/options.js'
import type { auditFlags } from './flags/audit-flags.js'
import type { FlagValues } from './flags/flag.js'

/** Returns the options of audit for the given flags. Paths become absolute. */
export const auditOptions = (values: FlagValues<typeof auditFlags>): AuditOptions => {
  const path = (file: string | undefined) => (file === undefined || file === '-' ? file : resolve(file))
  return {
    auditPolicyFile: path(values['audit-policy-file']),
    auditLogPath: path(values['audit-log-path']),
    auditLogFormat: values['audit-log-format'],
    auditLogMaxSize: values['audit-log-maxsize'],
    auditLogMaxAge: values['audit-log-maxage'],
    auditLogMaxBackup: values['audit-log-maxbackup'],
    auditLogCompress: values['audit-log-compress'],
    auditLogMode: values['audit-log-mode'],
    auditLogBatchBufferSize: values['audit-log-batch-buffer-size'],
    auditLogBatchMaxSize: values['audit-log-batch-max-size'],
    auditLogBatchMaxWait: values['audit-log-batch-max-wait'],
    auditLogBatchThrottleEnable: values['audit-log-batch-throttle-enable'],
    auditLogBatchThrottleQPS: values['audit-log-batch-throttle-qps'],
    auditLogBatchThrottleBurst: values['audit-log-batch-throttle-burst'],
    auditLogTruncateEnabled: values['audit-log-truncate-enabled'],
    auditLogTruncateMaxEventSize: values['audit-log-truncate-max-event-size'],
    auditLogTruncateMaxBatchSize: values['audit-log-truncate-max-batch-size'],
    auditLogVersion: values['audit-log-version'],
    auditWebhookConfigFile: path(values['audit-webhook-config-file']),
    auditWebhookInitialBackoff: values['audit-webhook-initial-backoff'],
    auditWebhookMode: values['audit-webhook-mode'],
    auditWebhookBatchBufferSize: values['audit-webhook-batch-buffer-size'],
    auditWebhookBatchMaxSize: values['audit-webhook-batch-max-size'],
    auditWebhookBatchMaxWait: values['audit-webhook-batch-max-wait'],
    auditWebhookBatchThrottleEnable: values['audit-webhook-batch-throttle-enable'],
    auditWebhookBatchThrottleQPS: values['audit-webhook-batch-throttle-qps'],
    auditWebhookBatchThrottleBurst: values['audit-webhook-batch-throttle-burst'],
    auditWebhookTruncateEnabled: values['audit-webhook-truncate-enabled'],
    auditWebhookTruncateMaxEventSize: values['audit-webhook-truncate-max-event-size'],
    auditWebhookTruncateMaxBatchSize: values['audit-webhook-truncate-max-batch-size'],
    auditWebhookVersion: values['audit-webhook-version']
  }
}
