/** Drafts of ordinary chains of certificates for clients. */
import { bitString, boolean, element, integer, octetString, oid, sequence } from '../der.js'
import { OID } from '../object-identifiers.js'
import { type CertificateForm, type Keys, makeKeys, nameOf } from './make-certificate.js'
import type { Random } from './random.js'

/** A chain before it is signed: the authority that is trusted comes first, the client's certificate last. */
export interface Draft {
  readonly forms: CertificateForm[]
  readonly keys: Keyring
  readonly random: Random
  /** Other authorities that are trusted, and other certificates that are presented. */
  readonly moreRoots: CertificateForm[]
  readonly morePresented: CertificateForm[]
  /** Changes what is presented, after everything is signed. */
  readonly after: ((presented: Buffer[]) => void)[]
  /** Trusts these of `forms` instead of the first. */
  trusted: readonly number[]
}

export class Keyring {
  readonly ordinary = [
    ...Array.from({ length: 8 }, () => makeKeys.ec('P-256')),
    makeKeys.ec('P-384'),
    makeKeys.ec('P-521'),
    makeKeys.rsa(2048),
    makeKeys.rsa(2048),
    makeKeys.ed25519(),
    makeKeys.ed25519()
  ]
  readonly rsa = makeKeys.rsa(2048)
  readonly ec = makeKeys.ec('P-256')
  readonly odd = [makeKeys.rsa(512), makeKeys.rsa(1024), makeKeys.ec('secp256k1'), makeKeys.ec('P-224'), makeKeys.ed448()]
}

export const day = 24 * 60 * 60 * 1000
export const chainTime = Date.parse('2026-11-21T12:00:00Z')

export const extensionForms = {
  basicConstraints: (ca: boolean, pathLength?: number) => ({
    critical: true,
    value: sequence(...(ca ? [boolean(true)] : []), ...(pathLength === undefined ? [] : [integer(Buffer.of(pathLength))]))
  }),
  /** Bits from the left, of which `unused` at the right end count nothing. */
  keyUsage: (bits: number, unused: number) => ({ critical: true, value: bitString(Buffer.of(bits), unused) }),
  purposes: (...types: string[]) => ({ critical: false, value: sequence(...types.map(oid)) }),
  names: (...names: (readonly [number, Buffer | string])[]) => ({
    critical: false,
    value: sequence(...names.map(([tag, content]) => element(tag, Buffer.from(content))))
  }),
  keyId: (id: Buffer) => ({ critical: false, value: octetString(id) }),
  authorityKeyId: (id: Buffer) => ({ critical: false, value: sequence(element(0x80, id)) })
}

export function makeDraft(random: Random, keys: Keyring): Draft {
  const length = 2 + (random.chance(0.3) ? 0 : random.below(4))
  const forms: CertificateForm[] = []
  for (let i = 0; i < length; i++) forms.push(makeForm(random, keys, i, length, forms))
  return { forms, keys, random, moreRoots: [], morePresented: [], after: [], trusted: [0] }
}

export function makeForm(
  random: Random,
  keys: Keyring,
  i: number,
  length: number,
  above: readonly CertificateForm[]
): CertificateForm {
  const isLeaf = i === length - 1
  const own = random.pick(keys.ordinary)
  const subject = isLeaf
    ? nameOf([
        ...Array.from({ length: random.below(3) }, (_, n) => [OID.organization, `group ${n}`] as const),
        [OID.commonName, `user ${random.below(1000)}`]
      ])
    : nameOf([[OID.commonName, `authority ${i} ${random.below(1e9)}`]])
  const parent = above.at(-1)
  const signer = parent?.keys ?? own
  const id = Buffer.from([i, random.below(256), random.below(256)])
  const parentId = parent?.extensions.get(OID.subjectKeyIdentifier)?.value.subarray(2)
  const { basicConstraints, keyUsage, purposes, keyId, authorityKeyId } = extensionForms
  const extensions: CertificateForm['extensions'] = new Map()
  if (!isLeaf || random.chance(0.8)) extensions.set(OID.basicConstraints, basicConstraints(!isLeaf))
  if (random.chance(0.8)) extensions.set(OID.keyUsage, isLeaf ? keyUsage(0x80, 7) : keyUsage(0x06, 1))
  if (isLeaf && random.chance(0.9)) extensions.set(OID.extendedKeyUsage, purposes(OID.clientAuth))
  if (random.chance(0.7)) extensions.set(OID.subjectKeyIdentifier, keyId(id))
  if (parentId && random.chance(0.7)) extensions.set(OID.authorityKeyIdentifier, authorityKeyId(parentId))
  return {
    version: 3,
    serial: Buffer.from([1 + random.below(100), random.below(256)]),
    issuer: parent?.subject ?? subject,
    subject,
    notBefore: chainTime - day,
    notAfter: chainTime + 10 * day,
    keys: own,
    signer,
    signature: signatureForm(random, signer),
    extensions
  }
}

const signatureForm = (random: Random, { privateKey }: Keys): CertificateForm['signature'] =>
  privateKey.asymmetricKeyType === 'rsa' && random.chance(0.3)
    ? { hash: 'sha256', saltLength: 32 }
    : { hash: random.pick(['sha256', 'sha256', 'sha384', 'sha512']) }
