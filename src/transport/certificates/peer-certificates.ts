import type { TLSSocket } from 'node:tls'

/** The certificates that are read: more than OpenSSL lets the other side send, which is 100 KB. */
const maxLength = 512

const known = new WeakMap<TLSSocket, readonly Buffer[]>()

/** Returns the DER of the certificates that the other side has sent, its own first. Returns the same array for every request of a connection. */
export const peerCertificates = (socket: TLSSocket): readonly Buffer[] => {
  let chain = known.get(socket)
  if (!chain) known.set(socket, (chain = readChain(socket)))
  return chain
}

const readChain = (socket: TLSSocket): Buffer[] => {
  const chain: Buffer[] = []
  // What Node calls the issuer is the next certificate that was sent, whoever issued which.
  let certificate = socket.getPeerX509Certificate?.()
  while (certificate && chain.length < maxLength) {
    chain.push(certificate.raw)
    certificate = certificate.issuerCertificate
  }
  return chain
}
