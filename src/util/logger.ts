/** The facts of a log line, by name. Values other than text are shown as JSON. */
export type LogFields = Readonly<Record<string, unknown>>

/**
 * Takes the lines that a server logs. They are for people and never hold secrets. `console` is one, too.
 *
 * @example
 * const silent: Logger = { error() {}, warn() {}, info() {} }
 * const server = createServer({ log: silent })
 */
export interface Logger {
  error(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  /** Returns where lines of a verbosity go, as --v counts it: 3 for each request. Returns undefined when nobody wants them. */
  v?(level: number): Pick<Logger, 'info'> | undefined
  /** Changes the verbosity: PUT /debug/flags/v. */
  setVerbosity?(level: number): void
}

export const silentLogger: Logger = { error() {}, warn() {}, info() {} }
