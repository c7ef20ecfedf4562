/** Validates what KMS plugins send and what is stored of it, with kube-apiserver's words. */
import { createHash } from 'node:crypto'
import { validateDomainName } from '../../../apimachinery/validation/domain-path.js'
import { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { aggregateText, goQuote } from '../../../util/go-format.js'
import { TransformError } from '../transformer.js'
import { type Annotations, aesGcmKey, type EncryptedObject, hkdfSeed } from './messages.js'

const maxAnnotationBytes = 32 * 1024
const maxKeyIdBytes = 1024
const maxSourceBytes = 1024

/** Returns why a key id is invalid, with kube-apiserver's code for its metric; undefined when it is valid. */
export function invalidKeyId(keyId: string): { readonly code: string; readonly why: string } | undefined {
  const length = Buffer.byteLength(keyId)
  if (length === 0) return { code: 'empty', why: 'keyID is empty' }
  if (length <= maxKeyIdBytes) return undefined
  return { code: 'too_long', why: `keyID is ${length} bytes, which exceeds the max size of ${maxKeyIdBytes}` }
}

/** Returns why a stored value, or what a plugin has encrypted, is not valid. */
function whyInvalid(object: EncryptedObject): string | undefined {
  const { sourceType, encryptedData, encryptedSource, keyId, annotations } = object
  if (sourceType !== aesGcmKey && sourceType !== hkdfSeed) return `unknown encryptedDEKSourceType: ${sourceType}`
  if (encryptedData.length === 0) return 'encrypted data is empty'
  const source = 'failed to validate encrypted DEK source: encrypted DEK source is'
  if (encryptedSource.length === 0) return `${source} empty`
  if (encryptedSource.length > maxSourceBytes)
    return `${source} ${encryptedSource.length} bytes, which exceeds the max size of ${maxSourceBytes}`
  const badKeyId = invalidKeyId(keyId)
  if (badKeyId) return `failed to validate key id: ${badKeyId.why}`
  const badAnnotations = annotations.size === 0 ? undefined : whyInvalidAnnotations(annotations)
  return badAnnotations && `failed to validate annotations: ${badAnnotations}`
}

function whyInvalidAnnotations(annotations: Annotations): string | undefined {
  const errors = new FieldErrors()
  let bytes = 0
  for (const [key, value] of annotations) {
    errors.collect(() => validateDomainName(key, Path.of('annotations'), errors))
    bytes += Buffer.byteLength(key) + value.length
  }
  const problems = errors.list.map(({ field, message }) => `${field}: ${message}`)
  if (bytes > maxAnnotationBytes)
    problems.push(`total size of annotations is ${bytes}, which exceeds the max size of ${maxAnnotationBytes}`)
  return problems.length === 0 ? undefined : aggregateText(problems)
}

/** Throws a TransformError for a value that is not valid. */
export function assertValid(object: EncryptedObject): void {
  const why = whyInvalid(object)
  if (why !== undefined) throw new TransformError(why)
}

/** Returns the hash by which logs and errors name a key id, because it may be secret. */
export const hashOf = (text: string): string => (text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`)

export const quotedHash = (text: string): string => goQuote(hashOf(text))

/** Returns the id of a seed: values with the same id were encrypted with the same seed. */
export function seedId({ sourceType, encryptedSource, keyId, annotations }: Omit<EncryptedObject, 'encryptedData'>): string {
  const hash = createHash('sha256')
  const add = (part: Buffer | string) => hash.update(`${Buffer.byteLength(part)}:`).update(part)
  hash.update(`${sourceType}:`)
  add(encryptedSource)
  add(keyId)
  for (const key of [...annotations.keys()].sort()) {
    add(key)
    add(annotations.get(key)!)
  }
  return hash.digest('base64')
}
