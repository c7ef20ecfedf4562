/** Where a server reports problems: lines for the operator, without secrets. */
export interface Logger {
  error(message: string): void
  info(message: string): void
}

export const stderrLogger: Logger = {
  error: message => void process.stderr.write(`${message}\n`),
  info: message => void process.stderr.write(`${message}\n`)
}

export const silentLogger: Logger = { error() {}, info() {} }
