import type {
  PodCertificateRequestSpec,
  PodCertificateRequestStatus
} from '../../apimachinery/api/generated/certificates-v1beta1.js'
import { isEmail } from '../../apimachinery/structural/format-email.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { GoText, noValue } from '../../apimachinery/validation/go-value.js'
import type { Certificate } from '../../transport/certificates/certificate.js'
import { generalNameTag } from '../../transport/certificates/general-names.js'
import { type PemBlock, pemBlocks } from '../../transport/certificates/pem.js'
import { certificateIn } from '../../transport/certificates/pem-certificates.js'
import { timestamp } from '../../util/time.js'
import { requestedKey } from './pod-certificate-key.js'

const path = Path.of('status')
const chainPath = path.child('certificateChain')
const maxChainBytes = 100 * 1024
const minute = 60_000
const hour = 60 * minute

/** Validates the certificate of a Pod: it was issued to the requested key, and the times of the status are its own. */
export function validateIssued(
  status: PodCertificateRequestStatus,
  requested: PodCertificateRequestSpec,
  maxSeconds: number,
  now: number,
  errors: FieldErrors
): void {
  const chain = status.certificateChain ?? ''
  if (Buffer.byteLength(chain) > maxChainBytes) {
    errors.tooLong(chainPath, maxChainBytes)
    return
  }
  const refuse = (why: string) => errors.invalid(chainPath, chain, why)
  const blocks = pemBlocks(chain)
  const first: PemBlock | undefined = blocks.next().value ?? undefined
  if (!first) return refuse('issued certificate chain must contain at least one certificate')
  if (first.type !== 'CERTIFICATE') return refuse('issued certificate chain must consist entirely of CERTIFICATE PEM blocks')
  const leaf = certificateIn(first)
  if (!leaf) return refuse('leaf certificate does not parse as valid X.509')
  validateNames(leaf, errors)
  const key = requestedKey(requested)
  if (Array.isArray(key)) {
    errors.invalid(key[0], noValue, key[1])
    return
  }
  if (!key.der.equals(leaf.publicKey.der)) return refuse('leaf certificate was not issued to the requested public key')
  if (!validateTimes(status, leaf, maxSeconds, now, errors)) return
  for (const block of blocks) {
    if (block.type !== 'CERTIFICATE') return refuse('issued certificate chain must consist entirely of CERTFICATE PEM blocks')
    if (!certificateIn(block)) return refuse('intermediate certificate does not parse as valid X.509')
  }
}

function validateNames({ names }: Certificate, errors: FieldErrors): void {
  const textsOf = (wanted: number) => names.filter(({ tag }) => tag === wanted).map(({ content }) => content.toString('latin1'))
  const refuse = (name: string, why: string) => errors.invalid(chainPath, name, why)
  for (const name of textsOf(generalNameTag.dns)) {
    if (name === '') refuse(name, 'leaf certificate should not contain empty DNSName')
    if (name.includes('..')) refuse(name, "leaf certificate's DNSName should not contain '..'")
    if (name.startsWith('.') || name.endsWith('.')) refuse(name, "leaf certificate's DNSName should not start or end with '.'")
  }
  for (const address of textsOf(generalNameTag.email))
    if (!isEmail(address)) refuse(address, 'leaf certificate should not contain invalid EmailAddress')
}

/** Returns whether the times are right. Names the first that is not, unless some are missing. */
function validateTimes(
  status: PodCertificateRequestStatus,
  leaf: Certificate,
  maxSeconds: number,
  now: number,
  errors: FieldErrors
): boolean {
  const at = { notBefore: path.child('notBefore'), notAfter: path.child('notAfter'), refresh: path.child('beginRefreshAt') }
  const { notBefore, notAfter, beginRefreshAt } = status
  if (!notBefore) errors.required(at.notBefore, 'must be present and consistent with the issued certificate')
  if (!notAfter) errors.required(at.notAfter, 'must be present and consistent with the issued certificate')
  if (!beginRefreshAt) errors.required(at.refresh, 'must be present and in the range [notbefore+10min, notafter-10min]')
  if (errors.any) return false
  const [start, end, refresh] = [notBefore, notAfter, beginRefreshAt].map(time => Date.parse(time!)) as [number, number, number]
  const refuse = (where: Path, time: number, why: string) => {
    errors.invalid(where, timestamp(time), why)
    return false
  }
  if (start !== leaf.notBefore)
    return refuse(at.notBefore, start, 'must be set to the NotBefore time encoded in the leaf certificate')
  if (Math.abs(start - now) >= 5 * minute)
    return refuse(at.notBefore, start, "must be set to within 5 minutes of kube-apiserver's current time")
  if (end !== leaf.notAfter) return refuse(at.notAfter, end, 'must be set to the NotAfter time encoded in the leaf certificate')
  const lifetime = leaf.notAfter - leaf.notBefore
  const refuseLifetime = (why: string) => {
    errors.invalid(chainPath, nanoseconds(lifetime), why)
    return false
  }
  if (lifetime < hour) return refuseLifetime('leaf certificate lifetime must be >= 1 hour')
  if (lifetime > maxSeconds * 1000)
    return refuseLifetime(`leaf certificate lifetime must be <= spec.maxExpirationSeconds (${maxSeconds})`)
  if (refresh < start + 10 * minute) return refuse(at.refresh, refresh, 'must be at least 10 minutes after status.notBefore')
  if (refresh > end - 10 * minute) return refuse(at.refresh, refresh, 'must be at least 10 minutes before status.notAfter')
  return true
}

/** Go prints a duration in nanoseconds, and none longer than 2^63 of them. */
const maxNanoseconds = 2n ** 63n - 1n

function nanoseconds(milliseconds: number): GoText {
  const exact = BigInt(milliseconds) * 1_000_000n
  return new GoText(String(exact > maxNanoseconds ? maxNanoseconds : exact < -maxNanoseconds ? -maxNanoseconds - 1n : exact))
}
