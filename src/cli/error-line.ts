import { StoreUnavailableError } from '../storage/contract.js'
import { UserError } from '../util/user-error.js'

/** The one line for an error that the user can put right; undefined for a bug. */
export const errorLine = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  const message = error instanceof UserError || error instanceof StoreUnavailableError ? error.message : listenMessage(error)
  return message?.replaceAll(/\s*\n\s*/g, ' ')
}

const listenMessage = ({
  code,
  syscall,
  address,
  port
}: NodeJS.ErrnoException & { address?: string; port?: number }): string | undefined => {
  if (syscall !== 'listen' && syscall !== 'bind') return undefined
  switch (code) {
    case 'EADDRINUSE':
      return `--secure-port ${port}: the port is taken on ${address}; choose another, or 0 for any free one`
    case 'EACCES':
      return `--secure-port ${port}: permission denied; choose a port from 1024 on`
    case 'EADDRNOTAVAIL':
      return `--bind-address ${address}: this machine has no such address`
    default:
      return `cannot listen on ${address} port ${port}: ${code}`
  }
}
