import { flag } from './flag.js'
import { integer, ip, string } from './value-types.js'

/** Flags: the address and its certificates. */
export const servingFlags = {
  'bind-address': flag({
    section: 'Secure serving',
    type: ip,
    default: '127.0.0.1',
    description: 'Address to listen on. 0.0.0.0 or :: means all addresses. (kube-apiserver listens on all by default.)'
  }),
  'secure-port': flag({
    section: 'Secure serving',
    type: integer('int', 0, 65535, 'a port number from 0 to 65535'),
    default: 6443,
    description: 'Port to listen on, for HTTPS only. 0 means any free port.'
  }),
  'cert-dir': flag({
    section: 'Secure serving',
    type: string,
    default: undefined,
    defaultText: '"pki" in the data folder',
    description:
      'Folder of the certificates that the server creates for itself. If it contains an authority (ca.crt, ca.key), the server uses that.'
  }),
  'tls-cert-file': flag({
    section: 'Secure serving',
    type: string,
    default: undefined,
    description:
      'Serving certificate, followed by its intermediates. By default the server creates one, signed by its own authority.'
  }),
  'tls-private-key-file': flag({
    section: 'Secure serving',
    type: string,
    default: undefined,
    description: 'Private key of --tls-cert-file.'
  })
}
