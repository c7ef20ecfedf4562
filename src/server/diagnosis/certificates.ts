/** Describes the certificates of a data folder and of the files that options name, and says what is wrong with them. */
import { type KeyObject, X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseCertificates, parsePrivateKey } from '../../transport/certificates/key-files.js'
import { fileError, UserError } from '../../util/user-error.js'
import { certificateFiles } from '../named-certificates.js'
import { optionTable } from '../options/table.js'
import type { ServerOptions } from '../options.js'

export interface CertificateReport {
  /** The file, or the flag with its file. */
  readonly source: string
  /** Undefined for a file that cannot be read. */
  readonly certificate?: Description
  readonly problems: readonly string[]
}

export interface Description {
  readonly subject: string
  readonly names: readonly string[]
  /** What it is for: authority, server, client. */
  readonly uses: readonly string[]
  readonly issuer: string
  readonly notBefore: string
  readonly notAfter: string
  readonly daysLeft: number
}

/** A file with certificates, the first of which may have a key and an issuer elsewhere. */
interface Source {
  readonly name: string
  readonly path: string
  readonly key?: { readonly name: string; readonly path: string } | undefined
  /** The files of the authorities one of which has to have signed it. */
  readonly issuers?: readonly string[] | undefined
}

const dayMs = 24 * 60 * 60 * 1000

/** The pairs of certificates and keys, and the authorities, that flags name. */
const pairs = [
  ['tlsCertFile', 'tlsPrivateKeyFile'],
  ['proxyClientCertFile', 'proxyClientKeyFile'],
  ['kubeletClientCertificate', 'kubeletClientKey'],
  ['etcdCertFile', 'etcdKeyFile'],
  ['clientCAFile'],
  ['requestheaderClientCAFile'],
  ['peerCAFile'],
  ['kubeletCertificateAuthority'],
  ['etcdCAFile'],
  ['oidcCAFile']
] as const

const sourcesOf = (options: ServerOptions): Source[] => {
  const named = (name: (typeof pairs)[number][number]) => {
    const path = options[name]
    return path ? { name: `--${optionTable[name].flag} ${path}`, path } : undefined
  }
  const given = pairs.flatMap(([certificate, key]) => {
    const found = named(certificate)
    return found ? [{ ...found, key: key && named(key) }] : []
  })
  const byName = (options.tlsSniCertKey ?? []).map(pair => {
    const { certFile, keyFile } = certificateFiles(pair)
    return { name: `--tls-sni-cert-key ${certFile}`, path: certFile, key: { name: keyFile, path: keyFile } }
  })
  return [...ownSources(options), ...given, ...byName]
}

/** The certificates that a server makes for itself, as far as it uses them. */
function ownSources({ certDir, dataDir, tlsCertFile }: ServerOptions): Source[] {
  const folder = certDir ?? (dataDir === undefined ? undefined : join(dataDir, 'pki'))
  if (folder === undefined) return []
  const file = (name: string) => join(folder, `${name}.crt`)
  const own = (name: string, issuers?: readonly string[]): Source => {
    const [path, keyPath] = [file(name), join(folder, `${name}.key`)]
    return { name: path, path, key: { name: keyPath, path: keyPath }, issuers }
  }
  // until the server starts again, its certificates are of the authority before the last switch
  const authorities = [file('ca'), ...[file('ca-old')].filter(existsSync)]
  const all = [
    own('ca'),
    ...(tlsCertFile ? [] : [own('apiserver', authorities)]),
    own('admin', authorities),
    own('front-proxy-ca'),
    own('front-proxy-client', [file('front-proxy-ca')])
  ]
  return all.filter(({ path }) => existsSync(path))
}

export interface CertificateCheck {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Milliseconds before the end of a certificate within which that is a problem. */
  readonly within: number
}

/** Reports on each certificate of each file. */
export async function certificateReports(options: ServerOptions, check: CertificateCheck): Promise<CertificateReport[]> {
  const reports = await Promise.all(sourcesOf(options).map(source => reportsOn(source, check)))
  return reports.flat()
}

async function reportsOn(source: Source, check: CertificateCheck): Promise<CertificateReport[]> {
  const { name, path, key, issuers } = source
  try {
    const chain = parseCertificates(name, await textOf(name, path)).map(pem => new X509Certificate(pem))
    const authorities = issuers && (await Promise.all(issuers.map(authoritiesIn))).flat()
    const problems = [...(await keyProblems(chain[0]!, key)), ...chainProblems(chain, authorities)]
    return chain.map((certificate, i) => ({
      source: i === 0 ? name : `${name} (certificate ${i + 1})`,
      certificate: describe(certificate, check.now),
      problems: [...timeProblems(certificate, check), ...(i === 0 ? problems : [])]
    }))
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return [{ source: name, problems: [error.message] }]
  }
}

const textOf = (name: string, path: string): Promise<string> =>
  readFile(path, 'utf8').catch(error => {
    throw fileError(name, error)
  })

const authoritiesIn = async (path: string): Promise<X509Certificate[]> =>
  parseCertificates(path, await textOf(path, path)).map(pem => new X509Certificate(pem))

async function keyProblems(certificate: X509Certificate, key: Source['key']): Promise<string[]> {
  if (!key) return []
  let parsed: KeyObject
  try {
    parsed = parsePrivateKey(key.name, await textOf(key.name, key.path))
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return [error.message]
  }
  return certificate.checkPrivateKey(parsed) ? [] : [`the key ${key.name} belongs to another certificate`]
}

/** Follows the issuers from the first certificate, as far as the files have them. */
function chainProblems(chain: readonly X509Certificate[], authorities: readonly X509Certificate[] | undefined): string[] {
  const known = [...chain.slice(1), ...(authorities ?? [])]
  const seen = new Set<X509Certificate>()
  let certificate = chain[0]!
  // a file of authorities is no chain
  if (certificate.ca && authorities === undefined) return []
  while (certificate.subject !== certificate.issuer && !seen.has(certificate)) {
    seen.add(certificate)
    const { issuer: name } = certificate
    const named = known.filter(one => one.subject === name)
    const issuer = named.find(one => certificate.checkIssued(one) && certificate.verify(one.publicKey))
    if (issuer) {
      certificate = issuer
      continue
    }
    const subject = oneLine(certificate.issuer)
    if (named.length > 0) return [`its signature was not made by the ${subject} that is there`]
    if (authorities && !authorities.includes(certificate)) return [`its issuer, ${subject}, is not among the authorities there`]
    if (chain.length > 1 && seen.size < chain.length)
      return [`the file has other certificates, but not that of its issuer, ${subject}`]
    return []
  }
  return []
}

function timeProblems(certificate: X509Certificate, { now, within }: CertificateCheck): string[] {
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
  if (from > now) return [`not valid before ${isoTime(from)}: is the clock right?`]
  if (to <= now) return [`expired on ${isoTime(to)}`]
  return to - now <= within ? [`expires in ${days(to - now)}`] : []
}

const days = (milliseconds: number) => {
  const count = Math.floor(milliseconds / dayMs)
  return count === 1 ? 'one day' : `${count} days`
}

const isoTime = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z')
const oneLine = (name: string) => name.split('\n').join(', ')

const purposes: ReadonlyMap<string, string> = new Map([
  ['1.3.6.1.5.5.7.3.1', 'server'],
  ['1.3.6.1.5.5.7.3.2', 'client']
])

function describe(certificate: X509Certificate, now: number): Description {
  const { subject, issuer, subjectAltName = '', validFrom, validTo, keyUsage, ca } = certificate
  const [notBefore, notAfter] = [Date.parse(validFrom), Date.parse(validTo)]
  return {
    subject: oneLine(subject),
    names: [...subjectAltName.matchAll(/(?:DNS|IP Address|URI|email):([^,]+)/g)].map(([, name]) => name!),
    uses: ca ? ['authority'] : (keyUsage ?? []).map(oid => purposes.get(oid) ?? oid),
    issuer: oneLine(issuer),
    notBefore: isoTime(notBefore),
    notAfter: isoTime(notAfter),
    daysLeft: Math.floor((notAfter - now) / dayMs)
  }
}
