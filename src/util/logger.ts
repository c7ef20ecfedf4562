/**
 * Takes the lines that a server logs. They are for people and never hold secrets.
 *
 * @example
 * const silent: Logger = { error() {}, info() {} }
 * const server = createServer({ log: silent })
 */
export interface Logger {
  error(message: string): void
  info(message: string): void
}

export const stderrLogger: Logger = {
  error: message => void process.stderr.write(`${message}\n`),
  info: message => void process.stderr.write(`${message}\n`)
}

export const silentLogger: Logger = { error() {}, info() {} }
