import type { TLSSocket } from 'node:tls'

/** A client that sends more than this is refused anyway; see x509.ts. */
const maxLength = 16

const known = new WeakMap<TLSSocket, readonly Buffer[]>()

/** DER of the certificates that the client showed in the handshake, its own first; the same array for every request. */
export const peerCertificates = (socket: TLSSocket): readonly Buffer[] => {
  let chain = known.get(socket)
  if (!chain) known.set(socket, (chain = readChain(socket)))
  return chain
}

const readChain = (socket: TLSSocket): Buffer[] => {
  const chain: Buffer[] = []
  // Node links the certificates as far as they were sent; one that signed itself is its own issuer.
  let certificate = socket.getPeerX509Certificate?.()
  while (certificate && chain.length < maxLength && !chain.some(raw => raw.equals(certificate!.raw))) {
    chain.push(certificate.raw)
    certificate = certificate.issuerCertificate
  }
  return chain
}
