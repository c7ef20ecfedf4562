/** The log of a server, as the flags of kube-apiserver's section "Logs" configure it. */
import type { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import type { LogFields, Logger } from '../../util/logger.js'
import { UserError } from '../../util/user-error.js'
import { jsonLines } from './json-lines.js'
import { klogLine, type Severity, usualSource } from './klog-line.js'

export interface LogOptions {
  /**
   * Verbosity of the log, as kube-apiserver's: 1 adds the flags, 2 slow requests, 3 every request. By default there are only warnings and errors. With the
   * command line it is 0, which adds what the server does on its own: that it starts, leads, reloads a file.
   */
  readonly v?: number | undefined
  /** The format of lines: `text` for klog's, or `json`; `text`. */
  readonly loggingFormat?: string | undefined
  /** Whether lines other than errors go to standard output, in the format `text`; needs the feature LoggingAlphaOptions. */
  readonly logTextSplitStream?: boolean | undefined
  /** The same in the format `json`. */
  readonly logJsonSplitStream?: boolean | undefined
}

/** Receives a whole line with its end. */
export type LineSink = (severity: Severity, line: string) => void

/** Formats and writes a line. */
export type WriteLine = (severity: Severity, level: number, message: string, fields: LogFields | undefined) => void

const standardError: LineSink = (_, line) => void process.stderr.write(line)
const splitStreams: LineSink = (severity, line) => void (severity === 'E' ? process.stderr : process.stdout).write(line)

/** Makes a server's log, whose lines name their source. Rejects with a UserError in kube-apiserver's words. */
export async function openLog(
  options: LogOptions,
  features: FeatureGates,
  sink?: LineSink,
  source = usualSource
): Promise<Logger> {
  const { v = -1, loggingFormat: format = 'text', logTextSplitStream, logJsonSplitStream } = options
  if (format !== 'text' && format !== 'json') throw new UserError(`format: Invalid value: "${format}": Unsupported log format`)
  if (format === 'json' && !features.enabled('LoggingBetaOptions'))
    throw new UserError('format: Forbidden: Log format json is disabled, see LoggingBetaOptions feature')
  const isSplit = { text: logTextSplitStream ?? false, json: logJsonSplitStream ?? false }
  for (const form of ['text', 'json'] as const)
    if (isSplit[form] && !features.enabled('LoggingAlphaOptions'))
      throw new UserError(`options.${form}.splitStream: Forbidden: Feature LoggingAlphaOptions is disabled`)
  const lines = sink ?? (isSplit[format] ? splitStreams : standardError)
  return leveled(format === 'json' ? await jsonLines(lines, source) : textLines(lines, source), v)
}

const textLines =
  (sink: LineSink, source: string): WriteLine =>
  (severity, _, message, fields) =>
    sink(severity, klogLine(severity, new Date(), message, fields, source))

function leveled(write: WriteLine, initial: number): Logger {
  let verbosity = initial
  const at = (level: number) => ({
    info: (message: string, fields?: LogFields) => write('I', level, message, fields)
  })
  return {
    error: (message, fields) => write('E', 0, message, fields),
    warn: (message, fields) => write('W', 0, message, fields),
    info: (message, fields) => {
      if (verbosity >= 0) write('I', 0, message, fields)
    },
    v: level => (level <= verbosity ? at(level) : undefined),
    setVerbosity(level) {
      verbosity = level
    }
  }
}
