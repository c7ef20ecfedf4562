import type { Policy } from './policy.js'

/** The options of audit: the server's table says what each of them does (server/options/audit.ts), ProgramOptions what only programs give. */
export interface AuditOptions {
  readonly auditPolicyFile?: string | undefined
  readonly auditPolicy?: Policy | undefined
  readonly auditWrite?: ((event: any) => void) | undefined
  readonly auditLogPath?: string | undefined
  readonly auditLogFormat?: string | undefined
  readonly auditLogMaxSize?: number | undefined
  readonly auditLogMaxAge?: number | undefined
  readonly auditLogMaxBackup?: number | undefined
  readonly auditLogCompress?: boolean | undefined
  readonly auditLogMode?: string | undefined
  readonly auditLogBatchBufferSize?: number | undefined
  readonly auditLogBatchMaxSize?: number | undefined
  readonly auditLogBatchMaxWait?: number | undefined
  readonly auditLogBatchThrottleEnable?: boolean | undefined
  readonly auditLogBatchThrottleQPS?: number | undefined
  readonly auditLogBatchThrottleBurst?: number | undefined
  readonly auditLogTruncateEnabled?: boolean | undefined
  readonly auditLogTruncateMaxEventSize?: number | undefined
  readonly auditLogTruncateMaxBatchSize?: number | undefined
  readonly auditLogVersion?: string | undefined
  readonly auditWebhookConfigFile?: string | undefined
  readonly auditWebhookInitialBackoff?: number | undefined
  readonly auditWebhookMode?: string | undefined
  readonly auditWebhookBatchBufferSize?: number | undefined
  readonly auditWebhookBatchMaxSize?: number | undefined
  readonly auditWebhookBatchMaxWait?: number | undefined
  readonly auditWebhookBatchThrottleEnable?: boolean | undefined
  readonly auditWebhookBatchThrottleQPS?: number | undefined
  readonly auditWebhookBatchThrottleBurst?: number | undefined
  readonly auditWebhookTruncateEnabled?: boolean | undefined
  readonly auditWebhookTruncateMaxEventSize?: number | undefined
  readonly auditWebhookTruncateMaxBatchSize?: number | undefined
  readonly auditWebhookVersion?: string | undefined
}
