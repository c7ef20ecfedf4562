/** Opens what audit needs: its policy, its file, the kubeconfig of its webhook. */
import type { Connect } from '../../transport/egress/egress-selector.js'
import type { WebhookFaults } from '../../transport/webhooks/injected-faults.js'
import { loadKubeconfig } from '../../transport/webhooks/kubeconfig.js'
import { defaultBackoff, RemoteWebhook } from '../../transport/webhooks/remote-webhook.js'
import type { Clock } from '../../util/clock.js'
import type { Logger } from '../../util/logger.js'
import { systemRandomness } from '../../util/randomness.js'
import { UserError } from '../../util/user-error.js'
import { type AuditLogFormat, type LineWriter, LogTarget, standardOutput } from './log-target.js'
import type { AuditOptions } from './options.js'
import type { AuditMode, OutputOptions, Target } from './output.js'
import { PolicyEvaluator } from './policy.js'
import { loadPolicy } from './policy-file.js'
import { milliseconds } from './rotating-file.js'
import { sharedFile } from './shared-file.js'
import { WebhookTarget } from './webhook-target.js'

export interface OpenedAudit {
  readonly policy: PolicyEvaluator
  readonly outputs: readonly { readonly target: Target; readonly options: OutputOptions }[]
  readonly write: AuditOptions['auditWrite']
  /** Receives the lines of the log backend; undefined without one. */
  readonly lines: LineWriter | undefined
}

interface Needs {
  readonly clock: Clock
  readonly log: Logger
  readonly faults: WebhookFaults
  /** Opens the connections to the webhook that an egress selection redirects. */
  readonly egress: Connect | undefined
  /** Receives the lines of the log backend, in a process that does not keep the file itself. */
  readonly lines?: LineWriter | undefined
}

/** Returns undefined when there are no events to be made, or nowhere for them to go. Rejects with a UserError. */
export async function openAudit(
  options: AuditOptions,
  { clock, log, faults, egress, lines }: Needs
): Promise<OpenedAudit | undefined> {
  const { auditPolicyFile: file, auditPolicy, auditLogPath: path, auditWebhookConfigFile: config } = options
  if (file && auditPolicy) throw new UserError('auditPolicy and auditPolicyFile exclude each other')
  const logging = path ? logOptions(options) : undefined
  const webhook = config ? webhookOptions(options) : undefined
  const policy = file ? loadPolicy(file, log) : auditPolicy
  const writer = path ? (lines ?? openLog(path, options, clock, log)) : undefined
  if (!policy) {
    if (writer) log.info('No audit policy file provided, no events will be recorded for log backend')
    if (webhook) log.info('No audit policy file provided, no events will be recorded for webhook backend')
    await writer?.close?.()
    return undefined
  }
  const outputs: { target: Target; options: OutputOptions }[] = []
  if (writer && logging) {
    const target = new LogTarget((options.auditLogFormat ?? 'json') as AuditLogFormat, writer)
    outputs.push({ target, options: logging })
  }
  if (config && webhook) {
    const remote = new RemoteWebhook({
      kubeconfig: await loadKubeconfig('--audit-webhook-config-file', config),
      egress,
      clock,
      random: systemRandomness,
      backoff: { ...defaultBackoff, initialMs: options.auditWebhookInitialBackoff ?? 10_000 },
      mayBeEmpty: true,
      shouldRetry: () => true,
      faults: { faults, name: 'audit' }
    })
    outputs.push({ target: new WebhookTarget(remote), options: webhook })
  }
  if (outputs.length === 0 && !options.auditWrite) return undefined
  return { policy: new PolicyEvaluator(policy), outputs, write: options.auditWrite, lines: writer }
}

function openLog(path: string, options: AuditOptions, clock: Clock, log: Logger) {
  if (path === '-') return standardOutput
  return sharedFile({
    path,
    maxBytes: (options.auditLogMaxSize ?? 100) * 1024 * 1024,
    maxAge: milliseconds(options.auditLogMaxAge ?? 366),
    maxBackups: options.auditLogMaxBackup ?? 100,
    compress: options.auditLogCompress ?? false,
    clock,
    failed: error => log.error(`old files of the audit log ${path}: ${error.message}`)
  })
}

function logOptions(o: AuditOptions): OutputOptions {
  const { auditLogFormat: format = 'json' } = o
  const options = checked('log', o.auditLogVersion, {
    mode: (o.auditLogMode ?? 'blocking') as AuditMode,
    batch: {
      bufferSize: o.auditLogBatchBufferSize ?? 10_000,
      maxSize: o.auditLogBatchMaxSize ?? 1,
      maxWait: o.auditLogBatchMaxWait ?? 0,
      throttle: o.auditLogBatchThrottleEnable
        ? { qps: o.auditLogBatchThrottleQPS ?? 0, burst: o.auditLogBatchThrottleBurst ?? 0 }
        : undefined
    },
    truncate: {
      enabled: o.auditLogTruncateEnabled ?? false,
      maxEventSize: o.auditLogTruncateMaxEventSize ?? 102_400,
      maxBatchSize: o.auditLogTruncateMaxBatchSize ?? 10_485_760
    }
  })
  if (format !== 'json' && format !== 'legacy')
    throw new UserError(`invalid audit log format ${format}, allowed formats are "legacy,json"`)
  for (const [flag, value] of [
    ['maxage', o.auditLogMaxAge],
    ['maxbackup', o.auditLogMaxBackup],
    ['maxsize', o.auditLogMaxSize]
  ] as const)
    if (value !== undefined && value < 0) throw new UserError(`--audit-log-${flag} ${value} can't be a negative number`)
  return options
}

const webhookOptions = (o: AuditOptions): OutputOptions =>
  checked('webhook', o.auditWebhookVersion, {
    mode: (o.auditWebhookMode ?? 'batch') as AuditMode,
    batch: {
      bufferSize: o.auditWebhookBatchBufferSize ?? 10_000,
      maxSize: o.auditWebhookBatchMaxSize ?? 400,
      maxWait: o.auditWebhookBatchMaxWait ?? 30_000,
      throttle:
        (o.auditWebhookBatchThrottleEnable ?? true)
          ? { qps: o.auditWebhookBatchThrottleQPS ?? 10, burst: o.auditWebhookBatchThrottleBurst ?? 15 }
          : undefined
    },
    truncate: {
      enabled: o.auditWebhookTruncateEnabled ?? false,
      maxEventSize: o.auditWebhookTruncateMaxEventSize ?? 102_400,
      maxBatchSize: o.auditWebhookTruncateMaxBatchSize ?? 10_485_760
    }
  })

const modes: readonly string[] = ['batch', 'blocking', 'blocking-strict']

/** Throws a UserError with kube-apiserver's words for options that are not valid. */
function checked(plugin: 'log' | 'webhook', version = 'audit.k8s.io/v1', options: OutputOptions): OutputOptions {
  const { mode, batch, truncate } = options
  if (!modes.includes(mode)) throw new UserError(`invalid audit ${plugin} mode ${mode}, allowed modes are "${modes.join(',')}"`)
  const positive = (what: string, value: number) => {
    if (!(value > 0)) throw new UserError(`invalid audit batch ${plugin} ${what} ${value}, must be a positive number`)
  }
  if (mode === 'batch') {
    positive('buffer size', batch.bufferSize)
    positive('max batch size', batch.maxSize)
    if (batch.throttle) {
      positive('throttle QPS', batch.throttle.qps)
      positive('throttle burst', batch.throttle.burst)
    }
  }
  const { maxEventSize, maxBatchSize } = truncate
  if (maxEventSize <= 0)
    throw new UserError(`invalid audit truncate ${plugin} max event size ${maxEventSize}, must be a positive number`)
  if (maxBatchSize < maxEventSize)
    throw new UserError(
      `invalid audit truncate ${plugin} max batch size ${maxBatchSize}, must be greater than max event size (${maxEventSize})`
    )
  if (version.split('/').length > 2) throw new UserError(`unexpected GroupVersion string: ${version}`)
  if (version !== 'audit.k8s.io/v1') throw new UserError('invalid group version, allowed versions are ["audit.k8s.io/v1"]')
  return options
}
