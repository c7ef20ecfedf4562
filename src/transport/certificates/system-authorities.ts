/** The authorities that the machine trusts, where Go finds them; Node.js has a list of its own. */
import { readFile } from 'node:fs/promises'

const systemFiles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem'
]

/** Returns PEM, of SSL_CERT_FILE or the first file that exists; undefined when there is none, which leaves Node.js's own list. */
export async function systemAuthorities(
  environment: NodeJS.ProcessEnv = process.env,
  files: readonly string[] = systemFiles
): Promise<string | undefined> {
  const given = environment.SSL_CERT_FILE
  for (const file of given ? [given] : files) {
    try {
      return await readFile(file, 'utf8')
    } catch {
      // the next one
    }
  }
  return undefined
}
