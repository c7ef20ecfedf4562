import { ranges } from '../../server/number-ranges.js'
import { flag } from './flag.js'
import { bool, InvalidValue, integer, ip, string, stringArray, strings, type ValueType } from './value-types.js'

const numbers = strings(text => text)

const curves: ValueType<readonly number[]> = {
  label: 'int32Slice',
  read(text, previous) {
    const given = numbers.read(text, undefined)
    if (!given.every(item => /^\d{1,5}$/.test(item))) throw new InvalidValue('must be numbers such as 23,29')
    return [...(previous ?? []), ...given.map(Number)]
  }
}

/** The flags about the server's address and certificates. */
export const servingFlags = {
  'bind-address': flag({
    section: 'Secure serving',
    type: ip,
    default: '127.0.0.1',
    description: 'Address to listen on. 0.0.0.0 or :: means all addresses. (kube-apiserver listens on all by default.)'
  }),
  'secure-port': flag({
    section: 'Secure serving',
    type: integer('int', ranges.port),
    default: 6443,
    description: 'Port to listen on, for HTTPS only. 0 means any free port.'
  }),
  'permit-port-sharing': flag({
    section: 'Secure serving',
    type: bool,
    default: false,
    description:
      'Lets other processes listen on the same address and port (SO_REUSEPORT): the system spreads connections over them. Needs Node.js 23.1.'
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
  'disable-http2-serving': flag({
    section: 'Secure serving',
    type: bool,
    default: false,
    description: 'Serves HTTP/1.1 only.'
  }),
  'http2-max-streams-per-connection': flag({
    section: 'Secure serving',
    type: integer('int', ranges.streams),
    default: 0,
    description: 'Maximum number of concurrent requests over one HTTP/2 connection. 0 means 100.'
  }),
  'tls-min-version': flag({
    section: 'Secure serving',
    type: string,
    default: undefined,
    defaultText: 'VersionTLS12',
    description: 'Lowest version of TLS: VersionTLS12 or VersionTLS13.'
  }),
  'tls-cipher-suites': flag({
    section: 'Secure serving',
    type: strings(text => text),
    default: [],
    description: "Cipher suites of TLS 1.2, by Go's names, in order of preference. Those that Go calls insecure are refused."
  }),
  'tls-curve-preferences': flag({
    section: 'Secure serving',
    type: curves,
    default: [],
    description: 'Curves of key exchanges, by their numbers in TLS (23, 24, 25, 29), in order of preference.'
  }),
  'tls-private-key-file': flag({
    section: 'Secure serving',
    type: string,
    default: undefined,
    description: 'Private key of --tls-cert-file.'
  }),
  'tls-sni-cert-key': flag({
    section: 'Secure serving',
    type: { ...stringArray(), label: 'namedCertKey' },
    default: [],
    description:
      'Certificate and key for some host names: cert.pem,key.pem, or cert.pem,key.pem:name,*.name with the names in place of those of the certificate. May be given more than once.'
  })
}
