import type { TLSSocket } from 'node:tls'

/** The certificates that are read. A client that sends more is refused anyway; see x509.ts. */
const maxLength = 16

const known = new WeakMap<TLSSocket, readonly Buffer[]>()

/** Returns the DER of the client's certificates, its own first. Returns the same array for every request of a connection. */
export const peerCertificates = (socket: TLSSocket): readonly Buffer[] => {
  let chain = known.get(socket)
  if (!chain) known.set(socket, (chain = readChain(socket)))
  return chain
}

const readChain = (socket: TLSSocket): Buffer[] => {
  const chain: Buffer[] = []
  // Node links each certificate to its issuer, if sent. A self-signed certificate is its own issuer.
  let certificate = socket.getPeerX509Certificate?.()
  while (certificate && chain.length < maxLength && !chain.some(raw => raw.equals(certificate!.raw))) {
    chain.push(certificate.raw)
    certificate = certificate.issuerCertificate
  }
  return chain
}
