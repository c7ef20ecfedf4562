/** Runs an operator as the program of a container. */
import type { Operator } from './operator.js'
import { type RunOptions, runOperator } from './run-operator.js'

/** The ports of the manifests. */
export const healthPort = 8081
export const webhookPort = 9443
const metricsPort = 8080
const everywhere = '0.0.0.0'

/**
 * Runs an operator until the process gets SIGTERM or SIGINT, with the ports of its manifests: 8081 for /healthz and /readyz, 8080 on 127.0.0.1 for /metrics, 9443 for its webhooks. Rejects when the
 * operator stops by itself, which ends the process with an error. A second signal ends the process at once.
 *
 * @example
 * await runUntilSignal(operator, { client: await connect() })
 */
export async function runUntilSignal(operator: Operator, options: RunOptions): Promise<void> {
  const running = runOperator(operator, {
    health: { port: healthPort, host: everywhere },
    metrics: { port: metricsPort },
    ...(options.install ? {} : { webhooks: { port: webhookPort, host: everywhere } }),
    ...options
  })
  let signals = 0
  const stop = () => {
    if (++signals > 1) process.exit(1)
    running.stop().catch(() => {})
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  try {
    await running.stopped
  } finally {
    process.off('SIGTERM', stop)
    process.off('SIGINT', stop)
  }
}
