/** The certificates and keys of a kubeconfig, which it holds as base64 or names by a file. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileError, UserError } from '../../util/user-error.js'
import { parseCertificates, parsePrivateKey } from '../certificates/key-files.js'
import type { UserEntry } from './kubeconfig-file.js'

/**
 * Reads what the field `NAME-data` holds, or the file that the field `NAME` names, relative to `directory`. `source` names the kubeconfig in errors.
 * Rejects with a UserError.
 */
export async function readPem(source: string, fields: object, name: string, directory: string): Promise<string | undefined> {
  const { [`${name}-data`]: data, [name]: file } = fields as Readonly<Record<string, string | undefined>>
  if (data) return Buffer.from(data, 'base64').toString()
  if (!file) return undefined
  const path = resolve(directory, file)
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw fileError(`${source}: ${name} ${path}`, error)
  }
}

/** Reads the authorities of a cluster, and checks that they are some. Rejects with a UserError. */
export async function readAuthorities(source: string, cluster: object, directory: string): Promise<string | undefined> {
  const ca = await readPem(source, cluster, 'certificate-authority', directory)
  const { 'insecure-skip-tls-verify': insecure } = cluster as { 'insecure-skip-tls-verify'?: boolean }
  if (ca === undefined) return undefined
  if (insecure) throw new UserError(`${source}: certificate-authority and insecure-skip-tls-verify exclude each other`)
  parseCertificates(`${source}: certificate-authority`, ca)
  return ca
}

/** Reads the certificate and the key of a user, and checks them. Rejects with a UserError. */
export async function readClientCertificate(
  source: string,
  user: UserEntry,
  directory: string
): Promise<{ readonly cert: string; readonly key: string } | undefined> {
  const cert = await readPem(source, user, 'client-certificate', directory)
  const key = await readPem(source, user, 'client-key', directory)
  if ((cert === undefined) !== (key === undefined))
    throw new UserError(`${source}: client-certificate and client-key need each other`)
  if (cert === undefined || key === undefined) return undefined
  parseCertificates(`${source}: client-certificate`, cert)
  parsePrivateKey(`${source}: client-key`, key)
  return { cert, key }
}
