import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { readCertificate } from '../../transport/certificates/certificate.js'
import { type PemBlock, pemBlocks } from '../../transport/certificates/pem.js'

const maxBytes = 1024 * 1024
/** Stands for the bundle in errors, because bundles are long. */
const omitted = '<value omitted>'

/** Validates the PEM of a bundle: authorities' certificates, at least one, and none twice. */
export function validateTrustBundle(bundle: string, path: Path, errors: FieldErrors): void {
  if (Buffer.byteLength(bundle) > maxBytes) {
    errors.tooLong(path, maxBytes)
    return
  }
  const places = new Map<string, number[]>()
  let isWellFormed = true
  let entry = 0
  for (const block of pemBlocks(bundle)) {
    const problem = anchorProblem(block)
    if (problem !== undefined) {
      isWellFormed = false
      errors.invalid(path, omitted, `entry ${entry} ${problem}`)
    } else {
      const key = block.bytes.toString('latin1')
      const before = places.get(key)
      if (before) before.push(entry)
      else places.set(key, [entry])
    }
    entry++
  }
  if (!isWellFormed) return
  if (places.size === 0) errors.invalid(path, omitted, 'at least one trust anchor must be provided')
  for (const indices of places.values())
    if (indices.length > 1) errors.invalid(path, omitted, `duplicate trust anchor (indices [${indices.join(' ')}])`)
}

/** Returns why a block is no trust anchor. */
function anchorProblem({ type, hasHeaders, bytes }: PemBlock): string | undefined {
  if (type !== 'CERTIFICATE') return `has bad block type: ${type}`
  if (hasHeaders) return 'has PEM block headers'
  try {
    return readCertificate(bytes).basicConstraints?.ca ? undefined : 'does not have the CA bit set'
  } catch {
    return 'does not parse as X.509'
  }
}
