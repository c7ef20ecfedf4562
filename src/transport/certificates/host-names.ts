/** Decides whether a server's certificate is for a host, as Go's x509 package does, and says why not in its words. */
import { formatAddress } from '../../util/go-netip.js'
import type { Certificate } from './certificate.js'
import { extensionValue } from './certificate-extensions.js'
import { type GeneralName, generalNameTag } from './general-names.js'
import { ipAddressBytes } from './ip-address.js'
import { OID } from './object-identifiers.js'

/** From this number of names on, an error tells only how many there are. */
const maxNamed = 100

/** Returns why the certificate is not for the host; undefined when it is. An IPv6 address may stand in brackets. */
export function hostProblem(certificate: Certificate, host: string): string | undefined {
  const bare = host.replace(/^\[(.+)\]$/, '$1')
  const address = ipAddressBytes(bare)
  const problem = address ? addressProblem(certificate, bare, address) : nameProblem(certificate, host)
  return problem !== undefined && hasOnlyCommonName(certificate, bare)
    ? 'x509: certificate relies on legacy Common Name field, use SANs instead'
    : problem
}

const hasOnlyCommonName = ({ extensions, subject }: Certificate, host: string): boolean =>
  !extensionValue(extensions, OID.subjectAltName) &&
  matches(subject.attributes.filter(({ type }) => type === OID.commonName).at(-1)?.value ?? '', labelsOf(lowerCase(host)))

function addressProblem({ names }: Certificate, host: string, address: Buffer): string | undefined {
  const addresses = contentsOf(names, generalNameTag.ip)
  if (addresses.some(each => sixteen(each).equals(sixteen(address)))) return undefined
  if (addresses.length === 0) return `x509: cannot validate certificate for ${host} because it doesn't contain any IP SANs`
  if (addresses.length >= maxNamed) return `x509: certificate is valid for ${addresses.length} IP SANs, but none matched ${host}`
  return `x509: certificate is valid for ${addresses.map(addressText).join(', ')}, not ${host}`
}

function nameProblem({ names }: Certificate, host: string): string | undefined {
  const wanted = lowerCase(host)
  const labels = labelsOf(wanted)
  const isHostName = hostName.test(labels.join('.'))
  const domains = contentsOf(names, generalNameTag.dns).map(content => content.toString('latin1'))
  const isForHost = (domain: string): boolean =>
    isHostName && hostPattern.test(domain) ? matches(domain, labels) : isSame(domain, wanted)
  if (domains.some(isForHost)) return undefined
  if (domains.length >= maxNamed) return `x509: certificate is valid for ${domains.length} names, but none matched ${host}`
  if (domains.join('') === '') return `x509: certificate is not valid for any names, but wanted to match ${host}`
  return `x509: certificate is valid for ${domains.join(', ')}, not ${host}`
}

/** A dot at the end does not count. */
const labelsOf = (host: string): string[] => host.replace(/\.$/, '').split('.')

const contentsOf = (names: readonly GeneralName[], tag: number): Buffer[] =>
  names.filter(name => name.tag === tag).map(name => name.content)

const mapped = Buffer.from('00000000000000000000ffff', 'hex')
/** An IPv4 address is the same as the IPv6 address that stands for it. */
const sixteen = (address: Buffer): Buffer => (address.length === 4 ? Buffer.concat([mapped, address]) : address)

const addressText = (content: Buffer): string => {
  const isIPv4 = content.length === 16 && content.subarray(0, 12).equals(mapped)
  return formatAddress({ bytes: [...(isIPv4 ? content.subarray(12) : content)], zone: '' })
}

const lowerCase = (text: string): string => text.replace(/[A-Z]/g, letter => letter.toLowerCase())

const labelPattern = '[A-Za-z0-9_][A-Za-z0-9_-]*'
/** Names of hosts, with the underscores that are common outside of the web, and patterns of them. */
const hostName = new RegExp(`^${labelPattern}(?:\\.${labelPattern})*$`)
const hostPattern = new RegExp(`^(?:\\*\\.)?${labelPattern}(?:\\.${labelPattern})*$`)

/** A wildcard stands for the whole of the first label. */
function matches(pattern: string, labels: readonly string[]): boolean {
  const parts = lowerCase(pattern).split('.')
  return (
    pattern !== '' && parts.length === labels.length && parts.every((part, i) => (i === 0 && part === '*') || part === labels[i])
  )
}

/** What is no host name has to be the same as it stands. */
const isSame = (domain: string, wanted: string): boolean => domain !== '' && domain !== '.' && lowerCase(domain) === wanted
