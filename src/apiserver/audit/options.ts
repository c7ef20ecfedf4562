import type { Policy } from './policy.js'

/** The options of audit. Their names are those of kube-apiserver's flags; each comment ends with the default. */
export interface AuditOptions {
  /** A file with the audit policy. Without a policy there are no events. */
  readonly auditPolicyFile?: string | undefined
  /** The policy itself, in place of a file. */
  readonly auditPolicy?: Policy | undefined
  /**
   * Takes every event as an object of `audit.k8s.io/v1`, beside the log and the webhook. The request waits for it, so it should
   * be quick.
   */
  readonly auditWrite?: ((event: any) => void) | undefined

  /** The file for events; `-` is standard output. */
  readonly auditLogPath?: string | undefined
  /** `json`, or `legacy` for a line of text; `json`. */
  readonly auditLogFormat?: string | undefined
  /** Megabytes of a full file, 0 for one that is never full; 100. */
  readonly auditLogMaxSize?: number | undefined
  /** Days for which full files are kept, 0 for ever; 366. */
  readonly auditLogMaxAge?: number | undefined
  /** Full files that are kept, 0 for all; 100. */
  readonly auditLogMaxBackup?: number | undefined
  /** Whether full files are compressed; false. */
  readonly auditLogCompress?: boolean | undefined
  /**
   * `blocking`: an answer waits until its event is written. `blocking-strict`: and a request whose event cannot be written is
   * refused. `batch`: no request waits; `blocking`.
   */
  readonly auditLogMode?: string | undefined
  /** Events that may wait, in the mode `batch`. More are lost; 10000. */
  readonly auditLogBatchBufferSize?: number | undefined
  /** Events that are written at once; 1. */
  readonly auditLogBatchMaxSize?: number | undefined
  /** Milliseconds that an event waits for others; 0. */
  readonly auditLogBatchMaxWait?: number | undefined
  /** Whether batches are limited; false. */
  readonly auditLogBatchThrottleEnable?: boolean | undefined
  /** Batches per second; 0. */
  readonly auditLogBatchThrottleQPS?: number | undefined
  /** Batches at once after a pause; 0. */
  readonly auditLogBatchThrottleBurst?: number | undefined
  /** Whether large events are written without their objects, and not at all when they are still too large; false. */
  readonly auditLogTruncateEnabled?: boolean | undefined
  /** Bytes of a large event; 102400. */
  readonly auditLogTruncateMaxEventSize?: number | undefined
  /** Bytes of the events that are written at once; 10485760. */
  readonly auditLogTruncateMaxBatchSize?: number | undefined
  /** The version of the events: `audit.k8s.io/v1`. */
  readonly auditLogVersion?: string | undefined

  /** A kubeconfig file with the address of a webhook that takes events. */
  readonly auditWebhookConfigFile?: string | undefined
  /** Milliseconds before a failed call is made again for the first time; 10000. */
  readonly auditWebhookInitialBackoff?: number | undefined
  /** As `auditLogMode`; `batch`. */
  readonly auditWebhookMode?: string | undefined
  /** Events that may wait. More are lost; 10000. */
  readonly auditWebhookBatchBufferSize?: number | undefined
  /** Events of one call; 400. */
  readonly auditWebhookBatchMaxSize?: number | undefined
  /** Milliseconds that an event waits for others; 30000. */
  readonly auditWebhookBatchMaxWait?: number | undefined
  /** Whether calls are limited; true. */
  readonly auditWebhookBatchThrottleEnable?: boolean | undefined
  /** Calls per second; 10. */
  readonly auditWebhookBatchThrottleQPS?: number | undefined
  /** Calls at once after a pause; 15. */
  readonly auditWebhookBatchThrottleBurst?: number | undefined
  /** As `auditLogTruncateEnabled`; false. */
  readonly auditWebhookTruncateEnabled?: boolean | undefined
  /** Bytes of a large event; 102400. */
  readonly auditWebhookTruncateMaxEventSize?: number | undefined
  /** Bytes of the events of one call; 10485760. */
  readonly auditWebhookTruncateMaxBatchSize?: number | undefined
  /** The version of the events: `audit.k8s.io/v1`. */
  readonly auditWebhookVersion?: string | undefined
}
