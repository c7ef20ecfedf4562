/** Reads --tls-sni-cert-key: serving certificates for single host names, which clients name in the TLS handshake. */
import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { isDns1123Subdomain } from '../apimachinery/validation/names.js'
import { parseCertificates, parsePrivateKey, privateKeyPem, readFlagFile } from '../transport/certificates/key-files.js'
import { UserError } from '../util/user-error.js'

const flag = '--tls-sni-cert-key'

export interface NamedCertificate {
  readonly certificate: string
  readonly key: string
}

/** Finds the certificate for the host name that a client asks for; undefined when none has that name. */
export type FindCertificate = (host: string) => NamedCertificate | undefined

/**
 * Reads certificates and keys: each pair is `cert,key` or `cert,key:name,*.name`. Without names, those of the certificate count. Names in
 * the flag go before names in certificates, whole names before wildcards, and earlier pairs before later ones, as in kube-apiserver.
 */
export async function namedCertificates(pairs: readonly string[]): Promise<FindCertificate> {
  const explicit = new Map<string, NamedCertificate>()
  const extracted = new Map<string, NamedCertificate>()
  for (const pair of pairs) {
    const { certFile, keyFile, names } = certificateFiles(pair)
    const [certificate, keyText] = [await readFlagFile(flag, certFile), await readFlagFile(flag, keyFile)]
    const [leaf] = parseCertificates(`${flag} ${certFile}`, certificate)
    const key = parsePrivateKey(`${flag} ${keyFile}`, keyText)
    const parsed = new X509Certificate(leaf!)
    if (!parsed.checkPrivateKey(key)) throw new UserError(`${flag}: ${keyFile} is not the key of ${certFile}`)
    const named = { certificate, key: privateKeyPem(key) }
    const target = names.length > 0 ? explicit : extracted
    for (const name of names.length > 0 ? names : namesOf(parsed)) if (!target.has(name)) target.set(name, named)
  }
  const all = new Map([...extracted, ...explicit])
  return host => {
    const name = host.toLowerCase().replace(/\.$/, '')
    return all.get(name) ?? all.get(name.replace(/^[^.]+/, '*')) ?? all.get('*')
  }
}

/** Reads a pair. The names follow the last colon, because paths may contain colons. Throws a UserError. */
export function certificateFiles(pair: string) {
  const colon = pair.lastIndexOf(':')
  const names =
    colon < 0
      ? []
      : pair
          .slice(colon + 1)
          .split(',')
          .map(name => name.trim().toLowerCase())
  const files = (colon < 0 ? pair : pair.slice(0, colon)).split(',').map(file => file.trim())
  const [certFile, keyFile] = files
  if (!certFile || !keyFile || files.length > 2)
    throw new UserError(`${flag} ${pair}: expected comma separated certificate and key file paths`)
  return { certFile, keyFile, names: names.filter(name => name !== '') }
}

/** Returns the certificate's DNS names, and its common name if that is a host name. */
function namesOf(certificate: X509Certificate): string[] {
  const commonName = /^CN=(.*)$/m.exec(certificate.subject)?.[1] ?? ''
  const isHost =
    isIP(commonName) === 0 && (commonName === '*' || isDns1123Subdomain(commonName.replace(/^\*\./, '')).length === 0)
  const dns = [...(certificate.subjectAltName ?? '').matchAll(/DNS:([^,"]+)/g)].map(([, name]) => name!)
  return [...(isHost ? [commonName] : []), ...dns].map(name => name.toLowerCase())
}
