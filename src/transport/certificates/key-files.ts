import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileError, UserError } from '../../util/user-error.js'
import { parsedLink } from './parsed.js'

const pemBlock = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g

/** Returns the PEM blocks of a text whose label ends in one of `labels`. */
const pemBlocks = (text: string, ...labels: string[]): string[] =>
  [...text.matchAll(pemBlock)].filter(match => labels.some(label => match[1]!.endsWith(label))).map(match => match[0])

/** Reads a file that a flag names. */
export const readFlagFile = async (flag: string, path: string): Promise<string> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw fileError(`${flag} ${path}`, error)
  }
}

/** Returns the certificates in a PEM text, each as separate PEM and unread. */
export const pemCertificates = (text: string): string[] => pemBlocks(text, 'CERTIFICATE')

/** Returns the certificates in a PEM text, each as separate PEM; at least one. `source` names the text in messages. */
export const parseCertificates = (source: string, text: string): string[] => {
  const blocks = pemCertificates(text)
  if (blocks.length === 0) throw new UserError(`${source}: holds no PEM certificate`)
  for (const [i, block] of blocks.entries()) {
    try {
      void new X509Certificate(block)
    } catch (error) {
      throw new UserError(`${source}: certificate ${i + 1} cannot be read`, { cause: error })
    }
  }
  return blocks.map(block => `${block}\n`)
}

/** Returns the certificates of authorities in a PEM text as parseCertificates() does; each must be one that clients can be verified with. */
export const parseAuthorities = (source: string, text: string): string[] => {
  const blocks = parseCertificates(source, text)
  for (const [i, block] of blocks.entries()) {
    try {
      parsedLink(block)
    } catch (error) {
      throw new UserError(`${source}: certificate ${i + 1} cannot be read`, { cause: error })
    }
  }
  return blocks
}

/** Returns the first private key in a PEM text. */
export const parsePrivateKey = (source: string, text: string): KeyObject => {
  const block = pemBlocks(text, 'PRIVATE KEY')[0]
  if (!block) throw new UserError(`${source}: holds no PEM private key`)
  if (block.includes('BEGIN ENCRYPTED') || block.includes('DEK-Info')) {
    throw new UserError(`${source}: the private key is encrypted; give it without a pass phrase`)
  }
  try {
    return createPrivateKey(block)
  } catch (error) {
    throw new UserError(`${source}: the private key cannot be read`, { cause: error })
  }
}

/** Returns the public keys in a PEM text, which may contain public keys, private keys and certificates; at least one. */
export const parsePublicKeys = (source: string, text: string): KeyObject[] => {
  const blocks = pemBlocks(text, 'PUBLIC KEY', 'PRIVATE KEY', 'CERTIFICATE')
  if (blocks.length === 0) throw new UserError(`${source}: holds no PEM public key`)
  return blocks.map((block, i) => {
    try {
      return createPublicKey(block)
    } catch (error) {
      throw new UserError(`${source}: key ${i + 1} cannot be read`, { cause: error })
    }
  })
}

/** Whether the key fits RS256, ES256, ES384 or ES512, the algorithms of service account tokens. */
export const isTokenKey = (key: KeyObject): boolean => {
  const curve = key.asymmetricKeyDetails?.namedCurve ?? ''
  return (
    key.asymmetricKeyType === 'rsa' ||
    (key.asymmetricKeyType === 'ec' && ['prime256v1', 'secp384r1', 'secp521r1'].includes(curve))
  )
}

/** Avoids KeyObject.equals(): for keys of different types it leaves an error behind, on which reading the next key fails. */
export const isSameKey = (one: KeyObject, other: KeyObject): boolean => spki(one).equals(spki(other))

const spki = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' })

/** Returns the key in the format of Kubernetes' own tools: SEC1 or PKCS #1. Not every client library reads PKCS #8. */
export function privateKeyPem(key: KeyObject): string {
  const type = key.asymmetricKeyType === 'ec' ? 'sec1' : key.asymmetricKeyType === 'rsa' ? 'pkcs1' : 'pkcs8'
  return key.export({ type, format: 'pem' }) as string
}
