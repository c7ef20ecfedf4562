/** Writes the log for --logging-format=json: a line for each message, with kube-apiserver's fields. */
import type { Severity } from './klog-line.js'
import type { LineSink, WriteLine } from './log.js'

/** Loads the library for the lines only when it is called. */
export async function jsonLines(sink: LineSink, caller: string): Promise<WriteLine> {
  const { pino } = await import('pino')
  let severity: Severity = 'I'
  const lines = pino(
    {
      base: null,
      level: 'trace',
      messageKey: 'msg',
      timestamp: () => `,"ts":${Date.now()}`,
      // kube-apiserver's lines have no level: those of errors have no "v"
      formatters: { level: () => ({ caller }) },
      serializers: { err: (error: unknown) => (error instanceof Error ? error.message : error) }
    },
    { write: (line: string) => sink(severity, line) }
  )
  return (of, level, message, fields) => {
    severity = of
    if (of === 'E') lines.error(fields ?? {}, message)
    else lines.info({ v: level, ...fields }, message)
  }
}
