/**
 * The certificate of an operator's webhooks, and the authority that signs it. The operator makes both, renews them before they expire, and keeps them in a Secret that its replicas share.
 */
import { createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Secret } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { StatusError } from '../../apimachinery/status/status.js'
import { issueCertificate, toPem } from '../../transport/certificates/issue.js'
import { parsePrivateKey, pemCertificates, privateKeyPem } from '../../transport/certificates/key-files.js'
import type { Clock, Timer } from '../../util/clock.js'
import type { Logger } from '../../util/logger.js'
import type { Informer, KubeClient } from '../types.js'

/** Texts in PEM. */
export interface ServingCertificates {
  /** The authorities that clients are to trust: the present one, and before its end the one that it replaces. */
  readonly ca: string
  readonly caKey: string
  readonly certificate: string
  readonly key: string
}

const day = 24 * 60 * 60 * 1000
const caLifetime = 3652 * day
const leafLifetime = 365 * day
/** Lets clients whose clocks are slightly slow accept a fresh certificate. */
const backdating = 5 * 60 * 1000
const checkEvery = 60 * 60 * 1000
const caName = 'webhooks-ca'

const makeKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey

/** Whether two thirds of a certificate's life are over, or it cannot be used now. */
function isDue(pem: string, now: number): boolean {
  const certificate = new X509Certificate(pem)
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
  return now < from || now - from > ((to - from) * 2) / 3
}

const isExpired = (pem: string, now: number) => Date.parse(new X509Certificate(pem).validTo) < now

/** Returns the certificates when they are good for a while, and others otherwise. A new authority signs at once, and the one before it is trusted until it expires. */
export function renewed(present: ServingCertificates | undefined, names: readonly string[], now: number): ServingCertificates {
  const usable = present && readable(present)
  if (!usable || isDue(usable.authorities[0]!, now)) {
    const key = makeKey()
    const ca = toPem(
      issueCertificate(
        {
          commonName: caName,
          publicKey: createPublicKey(key),
          notBefore: now - backdating,
          notAfter: now + caLifetime,
          usage: 'ca'
        },
        { key }
      )
    )
    const before = (usable?.authorities ?? []).filter(pem => !isExpired(pem, now)).slice(0, 1)
    return { ca: [ca, ...before.map(pem => `${pem}\n`)].join(''), caKey: privateKeyPem(key), ...makeLeaf(ca, key, names, now) }
  }
  const [authority] = usable.authorities as [string, ...string[]]
  const leaf = new X509Certificate(usable.certificate)
  const covers = names.every(name => (isIP(name) ? leaf.checkIP(name) : leaf.checkHost(name, { subject: 'never' })) !== undefined)
  const fits = covers && !isDue(usable.certificate, now) && leaf.checkIssued(new X509Certificate(authority))
  return fits ? present : { ca: present.ca, caKey: present.caKey, ...makeLeaf(authority, usable.caKey, names, now) }
}

function makeLeaf(
  ca: string,
  caKey: KeyObject,
  names: readonly string[],
  now: number
): Pick<ServingCertificates, 'certificate' | 'key'> {
  const key = makeKey()
  const issuer = new X509Certificate(ca)
  const der = issueCertificate(
    {
      commonName: names[0]!,
      publicKey: createPublicKey(key),
      notBefore: now - backdating,
      notAfter: Math.min(now + leafLifetime, Date.parse(issuer.validTo)),
      usage: 'serverAuth',
      names
    },
    { key: caKey, certificate: issuer.raw }
  )
  return { certificate: toPem(der), key: privateKeyPem(key) }
}

/** What somebody has put into the Secret may be anything. */
function readable({ ca, caKey, certificate, key }: ServingCertificates) {
  try {
    const authorities = pemCertificates(ca)
    const signer = parsePrivateKey('the key of the authority', caKey)
    const fits =
      new X509Certificate(authorities[0]!).checkPrivateKey(signer) &&
      new X509Certificate(certificate).checkPrivateKey(parsePrivateKey('the key', key))
    return fits ? { authorities, caKey: signer, certificate } : undefined
  } catch {
    return undefined
  }
}

export interface WebhookCertificatesOptions {
  /** The hosts of the certificate. */
  readonly names: readonly string[]
  /** Where the certificates are kept; undefined for a process that keeps them for itself. */
  readonly secret: { readonly client: KubeClient; readonly name: string; readonly namespace: string } | undefined
  readonly clock: Clock
  readonly log: Logger
  /** Called with new certificates. */
  changed(certificates: ServingCertificates): void
}

/** The Secret may be written by several replicas at once: the first one wins, and the others take over what it wrote. */
export class WebhookCertificates {
  readonly #options: WebhookCertificatesOptions
  #present: ServingCertificates | undefined
  #informer: Informer<Secret & KubeObject> | undefined
  #timer: Timer | undefined
  #stopped = false

  constructor(options: WebhookCertificatesOptions) {
    this.#options = options
  }

  get present(): ServingCertificates | undefined {
    return this.#present
  }

  /** Resolves with the certificates when they are there. */
  async start(): Promise<ServingCertificates> {
    await this.#check()
    const { secret } = this.#options
    if (secret && !this.#stopped) {
      const { client, name, namespace } = secret
      this.#informer = client.of('v1', 'Secret').informer({ namespace, fieldSelector: { 'metadata.name': name } })
      for (const event of ['add', 'update', 'delete'] as const) this.#informer.on(event as 'add', () => void this.#checkAgain())
    }
    this.#checkLater()
    return this.#present!
  }

  #checkLater(): void {
    if (this.#stopped) return
    this.#timer?.cancel()
    this.#timer = this.#options.clock.setTimeout(() => void this.#checkAgain().then(() => this.#checkLater()), checkEvery)
  }

  async #checkAgain(): Promise<void> {
    try {
      if (!this.#stopped) await this.#check()
    } catch (error) {
      this.#options.log.error(`webhooks: the certificates cannot be renewed: ${(error as Error).message}`)
    }
  }

  async #check(): Promise<void> {
    const { secret, names, clock } = this.#options
    const next = secret ? await this.#shared(secret) : renewed(this.#present, names, clock.now())
    const present = this.#present
    this.#present = next
    if (present?.certificate === next.certificate && present.ca === next.ca) return
    this.#options.changed(next)
  }

  async #shared({ client, name, namespace }: NonNullable<WebhookCertificatesOptions['secret']>): Promise<ServingCertificates> {
    const { names, clock } = this.#options
    const secrets = client.of('v1', 'Secret')
    for (let attempt = 1; ; attempt++) {
      const found = await secrets.find({ metadata: { name, namespace } })
      const present = found && certificatesIn(found)
      const next = renewed(present, names, clock.now())
      if (next === present) return next
      const data = {
        'ca.crt': encoded(next.ca),
        'ca.key': encoded(next.caKey),
        'tls.crt': encoded(next.certificate),
        'tls.key': encoded(next.key)
      }
      try {
        await (found
          ? secrets.update({ ...found, data } as never)
          : secrets.create({ metadata: { name, namespace }, type: 'kubernetes.io/tls', data } as never))
        return next
      } catch (error) {
        // another replica was first
        if (!(error instanceof StatusError && error.code === 409) || attempt >= 5) throw error
      }
    }
  }

  stop(): void {
    this.#stopped = true
    this.#timer?.cancel()
    this.#informer?.stop()
  }
}

const encoded = (text: string) => Buffer.from(text).toString('base64')

function certificatesIn({ data }: Secret): ServingCertificates {
  const text = (name: string) => Buffer.from(String(data?.[name] ?? ''), 'base64').toString()
  return { ca: text('ca.crt'), caKey: text('ca.key'), certificate: text('tls.crt'), key: text('tls.key') }
}
