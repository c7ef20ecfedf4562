import { docsPage } from '../../util/docs-page.js'
import { valueTypes } from '../../util/members.js'
import { ranges } from './number-ranges.js'
import { option } from './option.js'
import { bool, InvalidValue, integer, ip, oneOf, string, stringArray, strings, type ValueType } from './value-types.js'

const numbers = strings(text => text)

const curves: ValueType<readonly number[]> = {
  label: 'int32Slice',
  value: valueTypes.numbers,
  read(text, previous) {
    const given = numbers.read(text, undefined)
    if (!given.every(item => /^\d{1,5}$/.test(item))) throw new InvalidValue('must be numbers such as 23,29')
    return [...(previous ?? []), ...given.map(Number)]
  }
}

/** The flags about the server's address and certificates. */
export const servingOptions = {
  console: option({
    flag: 'console',
    section: 'Secure serving',
    type: oneOf(['loopback', 'always', 'never'] as const),
    default: 'loopback',
    libraryDefault: 'never',
    help: `Who is shown the console at /console/ (${docsPage('console')}): those who connect from this machine ("loopback"), everybody ("always") or nobody ("never"). They still have to sign in. Needs the package binnacle-console.`
  }),
  bindAddress: option({
    flag: 'bind-address',
    section: 'Secure serving',
    type: ip,
    default: '127.0.0.1',
    help: 'Address to listen on. 0.0.0.0 or :: means all addresses. (kube-apiserver listens on all by default.)'
  }),
  securePort: option({
    flag: 'secure-port',
    libraryDefault: '0',
    section: 'Secure serving',
    type: integer('int', ranges.port),
    default: 6443,
    help: 'Port to listen on, for HTTPS only. 0 means any free port.'
  }),
  permitPortSharing: option({
    flag: 'permit-port-sharing',
    section: 'Secure serving',
    type: bool,
    default: false,
    help: 'Lets other processes listen on the same address and port (SO_REUSEPORT): the system spreads connections over them. Needs Node.js 23.1.'
  }),
  certDir: option({
    flag: 'cert-dir',
    libraryDefault: '`<dataDir>/pki`',
    isPath: true,
    section: 'Secure serving',
    type: string,
    default: undefined,
    defaultText: '"pki" in the data folder',
    help: 'Folder of the certificates that the server creates for itself. If it contains an authority (ca.crt, ca.key), the server uses that.'
  }),
  tlsCertFile: option({
    flag: 'tls-cert-file',
    isPath: 'as given',
    section: 'Secure serving',
    type: string,
    default: undefined,
    help: 'Serving certificate, followed by its intermediates. By default the server creates one, signed by its own authority.'
  }),
  disableHttp2Serving: option({
    flag: 'disable-http2-serving',
    section: 'Secure serving',
    type: bool,
    default: false,
    help: 'Serves HTTP/1.1 only.'
  }),
  http2MaxStreamsPerConnection: option({
    flag: 'http2-max-streams-per-connection',
    section: 'Secure serving',
    type: integer('int', ranges.streams),
    default: 0,
    help: 'Maximum number of concurrent requests over one HTTP/2 connection. 0 means 100.'
  }),
  tlsMinVersion: option({
    flag: 'tls-min-version',
    section: 'Secure serving',
    type: string,
    default: undefined,
    defaultText: 'VersionTLS12',
    help: 'Lowest version of TLS: VersionTLS12 or VersionTLS13.'
  }),
  tlsCipherSuites: option({
    flag: 'tls-cipher-suites',
    section: 'Secure serving',
    type: strings(text => text),
    default: [],
    help: "Cipher suites of TLS 1.2, by Go's names, in order of preference. Those that Go calls insecure are refused."
  }),
  tlsCurvePreferences: option({
    flag: 'tls-curve-preferences',
    section: 'Secure serving',
    type: curves,
    default: [],
    help: 'Curves of key exchanges, by their numbers in TLS (23, 24, 25, 29), in order of preference.'
  }),
  tlsPrivateKeyFile: option({
    flag: 'tls-private-key-file',
    isPath: 'as given',
    section: 'Secure serving',
    type: string,
    default: undefined,
    help: 'Private key of --tls-cert-file.'
  }),
  tlsSniCertKey: option({
    flag: 'tls-sni-cert-key',
    isPath: 'as given',
    section: 'Secure serving',
    type: { ...stringArray(), label: 'namedCertKey' },
    default: [],
    help: 'Certificate and key for some host names: cert.pem,key.pem, or cert.pem,key.pem:name,*.name with the names in place of those of the certificate. May be given more than once.'
  })
}
