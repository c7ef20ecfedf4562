/** Reads --tls-min-version, --tls-cipher-suites and --tls-curve-preferences, which have Go's names and numbers. */
import type { TlsSettings } from '../apiserver/http/listener.js'
import { UserError } from '../util/user-error.js'
import type { ServerOptions } from './options.js'

const versions: ReadonlyMap<string, 'TLSv1.2' | 'TLSv1.3'> = new Map([
  ['VersionTLS12', 'TLSv1.2'],
  ['VersionTLS13', 'TLSv1.3']
])

/** OpenSSL's names of Go's cipher suites, without those that Go calls insecure. */
const suites: ReadonlyMap<string, string> = new Map([
  ['TLS_AES_128_GCM_SHA256', 'TLS_AES_128_GCM_SHA256'],
  ['TLS_AES_256_GCM_SHA384', 'TLS_AES_256_GCM_SHA384'],
  ['TLS_CHACHA20_POLY1305_SHA256', 'TLS_CHACHA20_POLY1305_SHA256'],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA', 'ECDHE-ECDSA-AES128-SHA'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA', 'ECDHE-ECDSA-AES256-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA', 'ECDHE-RSA-AES128-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA', 'ECDHE-RSA-AES256-SHA'],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', 'ECDHE-ECDSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', 'ECDHE-ECDSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305', 'ECDHE-ECDSA-CHACHA20-POLY1305']
])

/** The cipher suites of TLS 1.3, which are always enabled, as in Go. */
const always = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256']

/** OpenSSL's names of curves, by their numbers in TLS. */
const curves: ReadonlyMap<number, string> = new Map([
  [23, 'P-256'],
  [24, 'P-384'],
  [25, 'P-521'],
  [29, 'X25519']
])

const list = (known: ReadonlyMap<unknown, unknown>) => [...known.keys()].join(', ')

/** Throws a UserError that names the flag, the wrong value and the right ones. */
export function tlsSettings({ tlsMinVersion, tlsCipherSuites = [], tlsCurvePreferences = [] }: ServerOptions): TlsSettings {
  const minVersion = tlsMinVersion ? versions.get(tlsMinVersion) : undefined
  if (tlsMinVersion && !minVersion) throw new UserError(`--tls-min-version "${tlsMinVersion}" must be one of ${list(versions)}`)
  const find = <K, V>(flag: string, known: ReadonlyMap<K, V>, given: readonly K[]) =>
    given.map(name => {
      const found = known.get(name)
      if (found === undefined) throw new UserError(`${flag} "${name}" must be one of ${list(known)}`)
      return found
    })
  const ciphers = find('--tls-cipher-suites', suites, tlsCipherSuites)
  const preferred = find('--tls-curve-preferences', curves, tlsCurvePreferences)
  return {
    ...(minVersion ? { minVersion } : {}),
    ...(ciphers.length > 0 ? { ciphers: [...new Set([...always, ...ciphers])].join(':') } : {}),
    ...(preferred.length > 0 ? { ecdhCurve: preferred.join(':') } : {})
  }
}
