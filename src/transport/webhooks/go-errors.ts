/** Words connection failures as Go's net package does, because clients and operators of Kubernetes know those texts. */
import { getServers } from 'node:dns'

interface SystemError {
  readonly code?: string
  readonly address?: string
  readonly port?: number
  readonly hostname?: string
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out'
}

/** Returns the DNS server that was asked, which Go names in its error. */
function askedServer(): string {
  const [server] = getServers()
  return server === undefined ? '' : ` on ${server}:53`
}

/** Go's descriptions of certificate errors, by OpenSSL's name. */
const tlsReasons: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'x509: certificate signed by unknown authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'x509: certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'x509: certificate signed by unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'x509: certificate signed by unknown authority',
  CERT_HAS_EXPIRED: 'x509: certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID: 'x509: certificate has expired or is not yet valid'
}

export const deadlineExceeded = 'context deadline exceeded'

export function asGoError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return deadlineExceeded
  // several addresses were tried: the first error is reported
  const first = error instanceof AggregateError ? (error.errors[0] as Error) : error
  const { code = '', address, port, hostname } = first as SystemError
  if (Object.hasOwn(reasons, code))
    return `dial tcp ${address?.includes(':') ? `[${address}]` : address}:${port}: connect: ${reasons[code]}`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${hostname}${askedServer()}: no such host`
  if (Object.hasOwn(tlsReasons, code)) return `tls: failed to verify certificate: ${tlsReasons[code]}`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `tls: failed to verify certificate: x509: ${first.message}`
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE') return 'EOF'
  if (first.message.startsWith('Redirect loop detected')) return 'stopped after 10 redirects'
  if (code.startsWith('HPE_')) return 'malformed HTTP response'
  return first.message
}
