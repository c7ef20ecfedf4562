import { createPublicKey, generateKeyPair, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import { UserError } from '../../util/user-error.js'
import { readCertificate } from './certificate.js'
import { type CertificateRequest, type Issuer, issueCertificate, toPem } from './issue.js'
import {
  isSameKey,
  isTokenKey,
  parseAuthorities,
  parseCertificates,
  parsePrivateKey,
  parsePublicKeys,
  privateKeyPem,
  readFlagFile
} from './key-files.js'
import { parsedCertificate } from './parsed.js'
import { directoryFiles, memoryFiles, type PkiFiles, withSaved } from './pki-files.js'

export interface PkiOptions {
  /** Folder for the keys and certificates that the server creates; without it they live in memory only. */
  readonly directory?: string | undefined
  /** The files of an earlier call, which are used in place of a folder. */
  readonly files?: PkiFiles | undefined
  /** The files of another server, by name, which are used where there are none. */
  readonly saved?: ReadonlyMap<string, string> | undefined
  /** DNS names and IP addresses of the serving certificate: see servingNames(). */
  readonly servingNames: readonly string[]
  /** Milliseconds since 1970: decides which certificates are due for renewal. */
  readonly now: number
  readonly tlsCertFile?: string | undefined
  readonly tlsPrivateKeyFile?: string | undefined
  readonly clientCAFile?: string | undefined
  readonly serviceAccountKeyFiles?: readonly string[] | undefined
  readonly serviceAccountSigningKeyFile?: string | undefined
  /** Whether to make the certificate with which the server identifies itself to other API servers. */
  readonly makesFrontProxy?: boolean | undefined
}

/** All keys and certificates of one server; texts are PEM. */
export interface Pki {
  /** The files that the server has written. */
  readonly files: PkiFiles
  /** The server's own authority. It signs the serving certificate, the admin's and those that it later issues to clients. */
  readonly ca: { readonly certificate: string; readonly key: KeyObject }
  readonly serving: {
    /** The certificate, followed by intermediates, if there are any. */
    readonly certificate: string
    readonly key: string
    /** Certificates that a client must trust, and the server name that it must use if that is not the address. */
    readonly trust: string
    readonly tlsServerName: string | undefined
  }
  /** A client in the group system:masters, which may do everything. */
  readonly admin: { readonly certificate: string; readonly key: string }
  /** Authorities whose client certificates are accepted: the server's own and those of --client-ca-file. */
  readonly clientCAs: readonly string[]
  readonly serviceAccount: {
    readonly signingKey: KeyObject
    /** The public keys; that of the signing key comes first. */
    readonly publicKeys: readonly KeyObject[]
  }
  /** The certificate with which the server identifies itself to other API servers, and the authority that signs only that. */
  readonly frontProxy?: FrontProxy | undefined
}

export interface FrontProxy {
  readonly authority: string
  readonly certificate: string
  readonly key: string
}

/** The common name of the certificate that the server makes for itself as a front proxy. */
export const frontProxyName = 'front-proxy-client'

/** Every file that a server may write. */
export const pkiFileNames: readonly string[] = [
  ...['ca', 'ca-next', 'front-proxy-ca', 'admin', 'apiserver', frontProxyName].flatMap(name => [`${name}.crt`, `${name}.key`]),
  'ca-old.crt',
  'sa.key'
]

/** Authorities that are trusted beside `ca.crt` while one takes the place of another (authority-exchange.ts). */
const trustedBeside = ['ca-next.crt', 'ca-old.crt']

const day = 24 * 60 * 60 * 1000
const caLifetime = 3652 * day
const leafLifetime = 365 * day
/** Lets clients whose clocks are slightly slow accept a fresh certificate. */
const backdating = 5 * 60 * 1000
const caName = 'binnacle-ca'
const frontProxyCaName = 'binnacle-front-proxy-ca'
/** The user of the admin's certificate. */
export const adminUser = { name: 'kubernetes-admin', groups: ['system:masters'] } as const

/**
 * Reads the server's keys and certificates. Creates those that are missing or about to expire, and the serving certificate if it
 * does not cover all names. Otherwise loads and computes nothing more. Keys are created once and kept: a renewed certificate has
 * the same key, so an interruption between two files does no harm.
 */
export const loadOrCreatePki = async (options: PkiOptions): Promise<Pki> => {
  const own = options.files ?? (options.directory === undefined ? memoryFiles() : directoryFiles(options.directory))
  const files = options.saved ? withSaved(own, options.saved) : own
  const { now } = options
  // starts first, because another thread generates the key meanwhile
  const serviceAccountKeys = loadServiceAccountKeys(files, options)
  serviceAccountKeys.catch(() => {})
  const ca = await loadCa(files, now)
  const others = await otherAuthorities(files)
  const [serving, admin, clientCAs, serviceAccount, frontProxy] = await Promise.all([
    options.tlsCertFile || options.tlsPrivateKeyFile
      ? readGivenServing(options)
      : ((await foundServing(files, ca)) ?? makeServing(files, ca, others, options.servingNames, now)),
    makeLeaf(files, 'admin', ca, now, adminRequest),
    options.clientCAFile ? readClientCAs(options.clientCAFile) : [],
    serviceAccountKeys,
    options.makesFrontProxy ? makeFrontProxy(files, now) : undefined
  ])
  return {
    files,
    ca: { certificate: ca.pem, key: ca.key },
    serving,
    admin,
    clientCAs: [ca.pem, ...others, ...clientCAs],
    serviceAccount,
    frontProxy
  }
}

async function otherAuthorities(files: PkiFiles): Promise<string[]> {
  const texts = await Promise.all(trustedBeside.map(async name => [name, await files.read(name)] as const))
  return texts.flatMap(([name, text]) => (text === undefined ? [] : parseAuthorities(files.path(name), text)))
}

const makeFrontProxy = async (files: PkiFiles, now: number): Promise<FrontProxy> => {
  const ca = await loadCa(files, now, 'front-proxy-ca', frontProxyCaName)
  const leaf = await makeLeaf(files, frontProxyName, ca, now, frontProxyRequest)
  return { ...leaf, authority: ca.pem }
}

interface Ca extends Issuer {
  readonly pem: string
  readonly certificate: Buffer
  readonly x509: X509Certificate
}

const loadCa = async (files: PkiFiles, now: number, file = 'ca', commonName = caName): Promise<Ca> => {
  const [certificateFile, keyFile] = [`${file}.crt`, `${file}.key`]
  const certificateText = await files.read(certificateFile)
  if (certificateText !== undefined && (await files.read(keyFile)) === undefined) {
    throw new UserError(
      `${files.path(certificateFile)}: its key ${files.path(keyFile)} is missing; put it back, or remove both to get a new authority`
    )
  }
  const key = await loadOrMakeKey(files, keyFile)
  let name = commonName
  if (certificateText !== undefined) {
    const pem = parseAuthorities(files.path(certificateFile), certificateText)[0]!
    const x509 = parsedCertificate(pem)
    if (!x509.checkPrivateKey(key))
      throw new UserError(`${files.path(certificateFile)} and ${files.path(keyFile)} do not belong together`)
    if (!x509.ca) throw new UserError(`${files.path(certificateFile)}: is not the certificate of an authority`)
    if (!isDue(x509, now)) return { key, pem, x509, certificate: x509.raw }
    if (!isOwn(x509, commonName)) {
      // A user's own authority is the user's to renew; until it has expired, it is used.
      if (Date.parse(x509.validTo) > now) return { key, pem, x509, certificate: x509.raw }
      throw new UserError(`${files.path(certificateFile)}: expired on ${x509.validTo}`)
    }
    name = x509.subject.slice('CN='.length)
  }
  const certificate = newAuthority(key, name, now)
  const pem = toPem(certificate)
  await files.write(certificateFile, pem, false)
  return { key, pem, certificate, x509: parsedCertificate(pem) }
}

const newAuthority = (key: KeyObject, commonName: string, now: number): Buffer =>
  issueCertificate({ commonName, usage: 'ca', publicKey: createPublicKey(key), ...validity(now, caLifetime) }, { key })

/** Makes an authority that can take the place of the server's own. Its name is another one: clients find issuers by their names. */
export function makeNextAuthority(now: number): { readonly certificate: string; readonly key: string } {
  const { privateKey } = generateEcKey()
  const certificate = toPem(newAuthority(privateKey, `${caName}-${Math.floor(now / 1000)}`, now))
  return { certificate, key: privateKeyPem(privateKey) }
}

/** Whether a server has made the authority for itself. */
export const isOwnAuthority = (pem: string): boolean => isOwn(parsedCertificate(pem), caName)

const makeServing = async (
  files: PkiFiles,
  ca: Ca,
  others: readonly string[],
  names: readonly string[],
  now: number
): Promise<Pki['serving']> => {
  const leaf = await makeLeaf(files, 'apiserver', ca, now, servingRequest(names))
  return { ...leaf, trust: [ca.pem, ...others].join(''), tlsServerName: undefined }
}

type LeafRequest = Pick<CertificateRequest, 'commonName' | 'organizations' | 'usage' | 'names'>

const servingRequest = (names: readonly string[]): LeafRequest => ({ commonName: 'kube-apiserver', usage: 'serverAuth', names })
const adminRequest: LeafRequest = { commonName: adminUser.name, organizations: adminUser.groups, usage: 'clientAuth' }
const frontProxyRequest: LeafRequest = { commonName: frontProxyName, usage: 'clientAuth' }

const makeLeaf = async (
  files: PkiFiles,
  name: string,
  ca: Ca,
  now: number,
  request: LeafRequest
): Promise<{ certificate: string; key: string }> => {
  const key = await loadOrMakeKey(files, `${name}.key`)
  const keyText = privateKeyPem(key)
  const source = files.path(`${name}.crt`)
  const present = await files.read(`${name}.crt`)
  if (present !== undefined) {
    const pem = parseCertificates(source, present)[0]!
    const x509 = new X509Certificate(pem)
    if (!isOurs(x509, ca)) throw new UserError(`${source}: was not made by Binnacle; remove it to get a new one`)
    const good =
      x509.checkPrivateKey(key) &&
      x509.checkIssued(ca.x509) &&
      x509.verify(ca.x509.publicKey) &&
      !isDue(x509, now) &&
      (request.names ?? []).every(wanted => covers(x509, wanted))
    if (good) return { certificate: pem, key: keyText }
  }
  const lifetime = validity(now, leafLifetime)
  // Clients refuse a certificate that outlives its authority only later, and with a less helpful error.
  const notAfter = Math.min(lifetime.notAfter, Date.parse(ca.x509.validTo))
  const certificate = toPem(issueCertificate({ ...request, ...lifetime, notAfter, publicKey: createPublicKey(key) }, ca))
  await files.write(`${name}.crt`, certificate, false)
  return { certificate, key: keyText }
}

/**
 * Makes new keys and certificates in place of those that the server has made for itself. The authorities stay, and so do the names of the serving
 * certificate. Returns the names of the certificates. An interruption leaves a new key without its certificate, which a server then makes.
 */
export async function rotateLeaves(files: PkiFiles, now: number): Promise<string[]> {
  const rotated: string[] = []
  const rotate = async (ca: Ca, name: string, request: LeafRequest) => {
    const { privateKey } = await makeEcKey()
    await files.write(`${name}.key`, privateKeyPem(privateKey), true)
    await makeLeaf(files, name, ca, now, request)
    rotated.push(name)
  }
  const ca = await presentCa(files, now, 'ca', caName)
  const present = await files.read('apiserver.crt')
  const serving =
    present === undefined ? undefined : new X509Certificate(parseCertificates(files.path('apiserver.crt'), present)[0]!)
  // a foreign one is its owner's to renew
  if (serving && isOurs(serving, ca)) await rotate(ca, 'apiserver', servingRequest(namesIn(serving)))
  await rotate(ca, 'admin', adminRequest)
  if ((await files.read('front-proxy-ca.crt')) !== undefined)
    await rotate(await presentCa(files, now, 'front-proxy-ca', frontProxyCaName), frontProxyName, frontProxyRequest)
  return rotated
}

/** Reads an authority that is there. Rejects with a UserError when there is none. */
async function presentCa(files: PkiFiles, now: number, file: string, commonName: string): Promise<Ca> {
  if ((await files.read(`${file}.crt`)) === undefined)
    throw new UserError(`${files.path(`${file}.crt`)}: no such file; has a server been started on this folder?`)
  return loadCa(files, now, file, commonName)
}

const namesIn = ({ subjectAltName = '' }: X509Certificate): string[] =>
  [...subjectAltName.matchAll(/(?:DNS|IP Address):([^,]+)/g)].map(([, name]) => name!)

/** Uses a foreign serving certificate at the place of ours: envtest supplies its own in this way. */
const foundServing = async (files: PkiFiles, ca: Ca): Promise<Pki['serving'] | undefined> => {
  const [source, keySource] = [files.path('apiserver.crt'), files.path('apiserver.key')]
  const text = await files.read('apiserver.crt')
  if (text === undefined || isOurs(new X509Certificate(parseCertificates(source, text)[0]!), ca)) return undefined
  const keyText = await files.read('apiserver.key')
  if (keyText === undefined) throw new UserError(`${source}: its key ${keySource} is missing`)
  return givenServing({ source, text }, { source: keySource, text: keyText })
}

const readGivenServing = async ({ tlsCertFile, tlsPrivateKeyFile }: PkiOptions): Promise<Pki['serving']> => {
  if (!tlsCertFile || !tlsPrivateKeyFile) throw new UserError('--tls-cert-file and --tls-private-key-file must be given together')
  return givenServing(
    { source: `--tls-cert-file ${tlsCertFile}`, text: await readFlagFile('--tls-cert-file', tlsCertFile) },
    {
      source: `--tls-private-key-file ${tlsPrivateKeyFile}`,
      text: await readFlagFile('--tls-private-key-file', tlsPrivateKeyFile)
    }
  )
}

interface Pem {
  /** The name of the text in messages. */
  readonly source: string
  readonly text: string
}

const givenServing = (certificatePem: Pem, keyPem: Pem): Pki['serving'] => {
  const chain = parseCertificates(certificatePem.source, certificatePem.text)
  const key = parsePrivateKey(keyPem.source, keyPem.text)
  const x509 = new X509Certificate(chain[0]!)
  if (!x509.checkPrivateKey(key)) throw new UserError(`${certificatePem.source} does not belong to ${keyPem.source}`)
  const firstName = /(?:^|, )DNS:([^,*"]+)/.exec(x509.subjectAltName ?? '')?.[1]
  return {
    certificate: chain.join(''),
    key: privateKeyPem(key),
    trust: chain.join(''),
    tlsServerName: covers(x509, '127.0.0.1') ? undefined : firstName
  }
}

const readClientCAs = async (path: string): Promise<string[]> =>
  parseAuthorities(`--client-ca-file ${path}`, await readFlagFile('--client-ca-file', path))

const loadServiceAccountKeys = async (files: PkiFiles, options: PkiOptions): Promise<Pki['serviceAccount']> => {
  const signingFile = options.serviceAccountSigningKeyFile
  const signingKey =
    signingFile === undefined
      ? await loadOrMakeKey(files, 'sa.key', options.directory === undefined ? makeEcKey : makeRsaKey)
      : parsePrivateKey(
          `--service-account-signing-key-file ${signingFile}`,
          await readFlagFile('--service-account-signing-key-file', signingFile)
        )
  if (!isTokenKey(signingKey)) throw new UserError(`${signingFile ?? files.path('sa.key')}: ${unsuitable(signingKey)}`)
  const publicKeys = [createPublicKey(signingKey)]
  for (const path of options.serviceAccountKeyFiles ?? []) {
    const source = `--service-account-key-file ${path}`
    for (const key of parsePublicKeys(source, await readFlagFile('--service-account-key-file', path))) {
      if (!isTokenKey(key)) throw new UserError(`${source}: ${unsuitable(key)}`)
      if (!publicKeys.some(other => isSameKey(other, key))) publicKeys.push(key)
    }
  }
  return { signingKey, publicKeys }
}

const unsuitable = (key: KeyObject): string =>
  `a key of type ${key.asymmetricKeyType} cannot sign tokens: RSA and ECDSA P-256, P-384 and P-521 can`

const loadOrMakeKey = async (files: PkiFiles, name: string, make: () => MadeKey = makeEcKey): Promise<KeyObject> => {
  const present = await files.read(name)
  if (present !== undefined) return parsePrivateKey(files.path(name), present)
  const { privateKey } = await make()
  await files.write(name, privateKeyPem(privateKey), true)
  return privateKey
}

type MadeKey = { readonly privateKey: KeyObject } | Promise<{ readonly privateKey: KeyObject }>

const generateEcKey = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const makeEcKey = (): MadeKey => generateEcKey()

/**
 * Generates an RSA key, which takes a tenth of a second and is worthwhile only for a key that is kept. Clients that verify tokens
 * by the OpenID configuration, without asking the server, must support RS256 and may support nothing else (OpenID Connect
 * Discovery 1.0).
 */
const makeRsaKey = (): MadeKey => promisify(generateKeyPair)('rsa', { modulusLength: 2048 })

const validity = (now: number, lifetime: number): { notBefore: number; notAfter: number } => ({
  notBefore: now - backdating,
  notAfter: now + lifetime
})

/**
 * True when less than 30 days or a tenth of the lifetime is left, or when the certificate is not valid yet because the clock was
 * set back.
 */
const isDue = (certificate: X509Certificate, now: number): boolean => {
  const from = Date.parse(certificate.validFrom)
  const to = Date.parse(certificate.validTo)
  return now < from || to - now < Math.max(30 * day, (to - from) / 10)
}

const isOwn = ({ subject }: X509Certificate, commonName: string): boolean => isNameOf(subject, commonName)
/** Whether a name is that of the first authority or of a later one. */
const isNameOf = (name: string, commonName: string): boolean =>
  name.startsWith(`CN=${commonName}`) && /^(?:-\d+)?$/.test(name.slice('CN='.length + commonName.length))
const isOurs = (certificate: X509Certificate, ca: Ca): boolean =>
  issuedByOwnCa(certificate) || readCertificate(certificate.raw).issuer.raw.equals(readCertificate(ca.certificate).subject.raw)
const issuedByOwnCa = ({ issuer }: X509Certificate): boolean => isNameOf(issuer, caName)

const covers = (certificate: X509Certificate, name: string): boolean =>
  (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name, { subject: 'never' })) !== undefined
