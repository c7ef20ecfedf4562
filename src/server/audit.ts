/** Makes the audit of a server: the stages that see its requests, and the outputs of their events. */

import { AuditMetrics } from '../apiserver/audit/audit-metrics.js'
import { AuditErrors } from '../apiserver/audit/errors.js'
import { AuditOutput, programSink, unionOf } from '../apiserver/audit/output.js'
import { answersStage } from '../apiserver/audit/response-object.js'
import { Audit } from '../apiserver/audit/stages.js'
import type { AuditStages } from '../apiserver/chain/stages.js'
import type { Part } from '../util/part.js'
import type { Foundation } from './foundation.js'

export interface ServerAudit {
  /** Undefined when nothing is audited. */
  readonly stages: AuditStages | undefined
  readonly outputs: readonly Part[]
}

export function serverAudit({
  audit,
  metrics,
  clock,
  log
}: Pick<Foundation, 'audit' | 'metrics' | 'clock' | 'log'>): ServerAudit {
  const counts = new AuditMetrics(metrics)
  if (!audit) return { stages: undefined, outputs: [] }
  const errors = new AuditErrors(counts, log, clock)
  const outputs = audit.outputs.map(({ target, options }) => new AuditOutput(target, options, errors, clock))
  const sink = unionOf(audit.write ? [...outputs, programSink(audit.write, errors)] : outputs)
  const { stage, refusals } = new Audit({ policy: audit.policy, sink, metrics: counts, clock })
  return { stages: { stage, refusals, answers: answersStage }, outputs }
}
