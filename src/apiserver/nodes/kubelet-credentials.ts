/**
 * Reads the files by which the server and kubelets authenticate each other: --kubelet-certificate-authority, --kubelet-client-*.
 */
import { stat } from 'node:fs/promises'
import {
  parseAuthorities,
  parseCertificates,
  parsePrivateKey,
  privateKeyPem,
  readFlagFile
} from '../../transport/certificates/key-files.js'
import type { TlsOptions } from '../../transport/proxy/dial.js'
import type { Logger } from '../../util/logger.js'
import { UserError } from '../../util/user-error.js'

export interface KubeletFiles {
  readonly certificateAuthority?: string | undefined
  readonly clientCertificate?: string | undefined
  readonly clientKey?: string | undefined
}

/**
 * Reads the files, and again before a connection when they have changed, as they are renewed in place. Rejects with a UserError when
 * they cannot be used; later, an error is logged, and what was read last stays in use.
 */
export async function kubeletCredentials(files: KubeletFiles, log: Logger): Promise<() => Promise<TlsOptions>> {
  const paths = Object.values(files).filter(path => path !== undefined && path !== '')
  let seen = await stamps(paths)
  let options = await read(files)
  return async () => {
    const now = await stamps(paths)
    if (now !== seen) {
      // before reading, so that simultaneous connections do not read as well
      seen = now
      options = await read(files).catch(error => {
        log.error(`reading the credentials for kubelets again failed: ${(error as Error).message}`)
        return options
      })
    }
    return options
  }
}

async function stamps(paths: readonly string[]): Promise<string> {
  const found = await Promise.all(paths.map(path => stat(path).catch(() => undefined)))
  return found.map(file => `${file?.mtimeMs} ${file?.ino} ${file?.size}`).join()
}

async function read({ certificateAuthority, clientCertificate, clientKey }: KubeletFiles): Promise<TlsOptions> {
  const authority = '--kubelet-certificate-authority'
  const ca = certificateAuthority ? parseAuthorities(authority, await readFlagFile(authority, certificateAuthority)) : undefined
  const trusted = ca && { ca: ca.join('\n') }
  if (!clientCertificate && !clientKey) return { ...trusted }
  if (!clientCertificate || !clientKey)
    throw new UserError('--kubelet-client-certificate and --kubelet-client-key are needed together')
  const cert = await readFlagFile('--kubelet-client-certificate', clientCertificate)
  parseCertificates(`--kubelet-client-certificate ${clientCertificate}`, cert)
  const key = parsePrivateKey(`--kubelet-client-key ${clientKey}`, await readFlagFile('--kubelet-client-key', clientKey))
  return { ...trusted, cert, key: privateKeyPem(key) }
}
