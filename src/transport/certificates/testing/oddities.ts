/** What may be wrong or unusual with a chain, by name. Each changes a draft before it is signed, or what is presented afterwards. */
import { bitString, boolean, element, integer, octetString, oid, sequence, TAG } from '../der.js'
import { OID } from '../object-identifiers.js'
import { chainTime, type Draft, day, extensionForms, makeForm } from './drafts.js'
import { type CertificateForm, nameOf } from './make-certificate.js'

const leafOf = ({ forms }: Draft) => forms.at(-1)!
/** Any certificate, the client's and the trusted one included. */
const anyOf = ({ forms, random }: Draft) => random.pick(forms)
/** Any that signs others. */
const authorityOf = ({ forms, random }: Draft) => random.pick(forms.slice(0, -1))

/** Lets another key sign a certificate, and gives the ones below their due. */
const setKeys = (draft: Draft, form: CertificateForm, keys: CertificateForm['keys']): void => {
  const i = draft.forms.indexOf(form)
  form.keys = keys
  if (i === 0) form.signer = keys
  for (const child of [draft.forms[i + 1], i === 0 ? form : undefined])
    if (child) {
      child.signer = keys
      child.signature = { hash: 'sha256' }
    }
}

const change =
  (choose: (draft: Draft) => CertificateForm, act: (form: CertificateForm, draft: Draft) => void) => (draft: Draft) =>
    act(choose(draft), draft)

const set = (form: CertificateForm, type: string, extension: { critical: boolean; value: Buffer }) =>
  void form.extensions.set(type, extension)

const utf8 = (text: string) => Buffer.from(text)
const { basicConstraints, keyUsage, purposes, names, keyId, authorityKeyId } = extensionForms

const subtree = (tag: number, content: Buffer | string) => sequence(element(tag, Buffer.from(content)))
const constrain = (permitted: Buffer[], excluded: Buffer[], critical: boolean) => ({
  critical,
  value: sequence(
    ...(permitted.length > 0 ? [element(0xa0, ...permitted)] : []),
    ...(excluded.length > 0 ? [element(0xa1, ...excluded)] : [])
  )
})

const domains = [
  'example.com',
  'a.example.com',
  'b.a.example.com',
  'xexample.com',
  '*.example.com',
  'EXAMPLE.com',
  'other.org',
  '.example.com',
  'com',
  '',
  'example.com.',
  'a b'
]
const mailboxes = [
  'me@example.com',
  'me@a.example.com',
  'Me@example.com',
  '"me"@example.com',
  '.me@example.com',
  'example.com',
  '.example.com',
  'a\\.b@example.com',
  'me@'
]
const uris = [
  'spiffe://example.com/x',
  'https://a.example.com:443/',
  'urn:x:y',
  'https://10.0.0.1/',
  'https://[::1]/',
  '%zz',
  'https://exa mple.com/',
  '//example.com',
  'example.com'
]
const addresses = [
  Buffer.from([10, 0, 0, 1]),
  Buffer.from([10, 0, 1, 1]),
  Buffer.from([192, 168, 0, 1]),
  Buffer.alloc(16, 1),
  Buffer.from([10, 0, 0])
]
const ranges = [
  Buffer.from([10, 0, 0, 0, 255, 255, 255, 0]),
  Buffer.from([10, 0, 0, 7, 255, 255, 0, 0]),
  Buffer.from([10, 0, 0, 0, 255, 0, 255, 0]),
  Buffer.concat([Buffer.alloc(16, 1), Buffer.alloc(16, 255)]),
  Buffer.from([0, 0, 0, 0, 0, 0, 0, 0])
]

const randomName = ({ random }: Draft): readonly [number, Buffer | string] => {
  const tag = random.pick([0x81, 0x82, 0x82, 0x82, 0x86, 0x87])
  return [tag, random.pick<Buffer | string>(tag === 0x81 ? mailboxes : tag === 0x82 ? domains : tag === 0x86 ? uris : addresses)]
}

const randomSubtree = ({ random }: Draft): Buffer => {
  const tag = random.pick([0x81, 0x82, 0x82, 0x82, 0x86, 0x87, random.pick([0xa4, 0x88, 0x87])])
  if (tag === 0xa4) return sequence(element(tag, nameOf([[OID.organization, 'x']])))
  return subtree(tag, random.pick<Buffer | string>(tag === 0x81 ? mailboxes : tag === 0x87 ? ranges : domains))
}

const several = <T>({ random }: Draft, least: number, make: () => T): T[] => Array.from({ length: least + random.below(2) }, make)

const policies = ['2.5.29.32.0', '1.2.3.1', '1.2.3.2', '1.2.3.3']
const setPolicies = (form: CertificateForm, ids: readonly string[], critical: boolean) =>
  set(form, OID.certificatePolicies, { critical, value: sequence(...ids.map(id => sequence(oid(id)))) })

const shuffled = ({ random }: Draft, ids: readonly string[]): string[] => {
  const copy = [...ids]
  random.shuffle(copy)
  return copy.slice(0, 1 + random.below(2))
}

const flipByte = ({ random }: Draft, der: Buffer): Buffer => {
  const changed = Buffer.from(der)
  changed[random.below(changed.length)]! ^= 1 << random.below(8)
  return changed
}

export const oddities: ReadonlyMap<string, (draft: Draft) => void> = new Map<string, (draft: Draft) => void>([
  [
    'the trusted authority is another one of the same name',
    d => {
      const other = makeForm(d.random, d.keys, 0, 2, [])
      other.subject = other.issuer = d.forms[0]!.subject
      d.moreRoots.push(other)
      d.trusted = []
    }
  ],
  [
    'another authority of the same name is trusted, too',
    d => {
      const other = makeForm(d.random, d.keys, 0, 2, [])
      other.subject = other.issuer = d.forms[0]!.subject
      d.moreRoots.push(other)
    }
  ],
  [
    'signed by another key',
    change(
      d => d.random.pick(d.forms.slice(1)),
      (form, d) => void (form.signer = d.keys.ec)
    )
  ],
  ['for servers', change(anyOf, form => set(form, OID.extendedKeyUsage, purposes(OID.serverAuth)))],
  ['for clients and servers', change(anyOf, form => set(form, OID.extendedKeyUsage, purposes(OID.serverAuth, OID.clientAuth)))],
  ['for any purpose', change(anyOf, form => set(form, OID.extendedKeyUsage, purposes(OID.anyExtendedKeyUsage)))],
  ['for an unknown purpose', change(anyOf, form => set(form, OID.extendedKeyUsage, purposes('1.2.3.4')))],
  ['without purposes', change(anyOf, form => void form.extensions.delete(OID.extendedKeyUsage))],
  ['for no purpose', change(anyOf, form => set(form, OID.extendedKeyUsage, purposes()))],
  [
    'with critical purposes',
    change(anyOf, form => set(form, OID.extendedKeyUsage, { ...purposes(OID.clientAuth), critical: true }))
  ],
  ['expired', change(anyOf, (form, d) => void (form.notAfter = chainTime - d.random.pick([1000, day / 2])))],
  ['expires now', change(anyOf, form => void (form.notAfter = chainTime))],
  ['not yet valid', change(anyOf, (form, d) => void (form.notBefore = chainTime + d.random.pick([1000, day])))],
  ['valid from now', change(anyOf, form => void (form.notBefore = chainTime))],
  ['valid beyond 2050', change(anyOf, form => void (form.notAfter = Date.parse('2060-01-01T00:00:00Z')))],
  ['a path length', change(authorityOf, (form, d) => set(form, OID.basicConstraints, basicConstraints(true, d.random.below(3))))],
  [
    'a large path length',
    change(authorityOf, form =>
      set(form, OID.basicConstraints, {
        critical: true,
        value: sequence(boolean(true), integer(Buffer.from([1, 0, 0])))
      })
    )
  ],
  [
    'a negative path length',
    change(authorityOf, form =>
      set(form, OID.basicConstraints, {
        critical: true,
        value: sequence(boolean(true), element(TAG.integer, Buffer.from([0xff])))
      })
    )
  ],
  ['no authority', change(authorityOf, form => set(form, OID.basicConstraints, basicConstraints(false)))],
  ['no basic constraints', change(authorityOf, form => void form.extensions.delete(OID.basicConstraints))],
  [
    'basic constraints that are not critical',
    change(authorityOf, form => set(form, OID.basicConstraints, { ...basicConstraints(true), critical: false }))
  ],
  ['the client is an authority', change(leafOf, form => set(form, OID.basicConstraints, basicConstraints(true)))],
  [
    'malformed basic constraints',
    change(anyOf, form => set(form, OID.basicConstraints, { critical: true, value: octetString(utf8('x')) }))
  ],
  ['may not sign', change(authorityOf, (form, d) => set(form, OID.keyUsage, keyUsage(d.random.pick([0x80, 0x02]), 0)))],
  ['may do nothing', change(anyOf, form => set(form, OID.keyUsage, { critical: true, value: bitString(Buffer.alloc(0)) }))],
  [
    'may only decipher',
    change(authorityOf, form => set(form, OID.keyUsage, { critical: true, value: bitString(Buffer.from([0, 0x80]), 7) }))
  ],
  ['the client may only sign certificates', change(leafOf, form => set(form, OID.keyUsage, keyUsage(0x04, 2)))],
  ['malformed key usage', change(anyOf, form => set(form, OID.keyUsage, keyUsage(0x07, 3)))],
  [
    'SHA-1',
    change(
      d => d.random.pick(d.forms),
      (form, d) => {
        const at = d.forms.indexOf(form)
        if (form.signer.privateKey.asymmetricKeyType === 'ed25519') setKeys(d, d.forms[Math.max(0, at - 1)]!, d.keys.rsa)
        form.signature = { hash: 'sha1' }
      }
    )
  ],
  [
    'MD5',
    d => {
      const at = 1 + d.random.below(d.forms.length - 1)
      setKeys(d, d.forms[at - 1]!, d.keys.rsa)
      d.forms[at]!.signature = { hash: 'md5' }
    }
  ],
  [
    'SHA-224',
    d => {
      const at = 1 + d.random.below(d.forms.length - 1)
      setKeys(d, d.forms[at - 1]!, d.random.pick([d.keys.rsa, d.keys.ec]))
      d.forms[at]!.signature = { hash: 'sha224' }
    }
  ],
  [
    'PSS with another salt',
    d => {
      const at = 1 + d.random.below(d.forms.length - 1)
      setKeys(d, d.forms[at - 1]!, d.keys.rsa)
      d.forms[at]!.signature = { hash: 'sha256', saltLength: d.random.pick([20, 32, 64]) }
    }
  ],
  [
    'an unusual key',
    d => {
      const keys = d.random.pick(d.keys.odd)
      setKeys(d, anyOf(d), keys)
    }
  ],
  [
    'a key in an unusual form',
    change(
      d => leafOf(d),
      (form, d) => {
        const { publicKey, privateKey } = d.keys.rsa
        // without the NULL of the algorithm
        form.keys = {
          publicKey: sequence(sequence(oid('1.2.840.113549.1.1.1')), publicKey.subarray(publicKey.indexOf('0382', 'hex'))),
          privateKey
        }
      }
    )
  ],
  [
    'an unknown critical extension',
    change(anyOf, form => set(form, '1.2.3.4.5', { critical: true, value: octetString(utf8('x')) }))
  ],
  ['an unknown extension', change(anyOf, form => set(form, '1.2.3.4.5', { critical: false, value: octetString(utf8('x')) }))],
  ['a critical key id', change(anyOf, form => set(form, OID.subjectKeyIdentifier, { ...keyId(utf8('x')), critical: true }))],
  ['another authority key id', change(anyOf, form => set(form, OID.authorityKeyIdentifier, authorityKeyId(utf8('other'))))],
  [
    'a critical authority key id',
    change(anyOf, form => set(form, OID.authorityKeyIdentifier, { ...authorityKeyId(utf8('x')), critical: true }))
  ],
  [
    'an extension twice',
    change(anyOf, (form, d) => void (form.repeated = d.random.pick([...form.extensions.keys(), undefined])))
  ],
  [
    'critical places of revocation lists',
    change(anyOf, form => set(form, OID.crlDistributionPoints, { critical: true, value: sequence(sequence()) }))
  ],
  [
    'critical alternative names',
    change(leafOf, (form, d) =>
      set(form, OID.subjectAltName, {
        ...names(d.random.pick([[0x82, 'example.com'] as const, [0x88, Buffer.from([1, 2])] as const])),
        critical: true
      })
    )
  ],
  [
    'a trusted authority of version 1',
    d => {
      d.forms[0]!.version = 1
      d.forms[0]!.extensions.clear()
    }
  ],
  [
    'version 1',
    change(anyOf, form => {
      form.version = 1
      form.extensions.clear()
    })
  ],
  ['version 2', change(anyOf, form => void (form.version = 2))],
  ['version 4', change(anyOf, form => void (form.version = 4))],
  ['a serial of 0', change(anyOf, form => void (form.serial = Buffer.of(0)))],
  [
    'a self-signed client',
    d => {
      const leaf = leafOf(d)
      leaf.issuer = leaf.subject
      leaf.signer = leaf.keys
      leaf.signature = { hash: 'sha256' }
    }
  ],
  ['the client itself is trusted', d => void (d.trusted = [d.forms.length - 1])],
  ['an intermediate is trusted', d => void (d.trusted = [d.random.below(d.forms.length)])],
  [
    'presented in another order',
    d =>
      void d.after.push(presented => {
        const [leaf, ...others] = presented
        d.random.shuffle(others)
        presented.splice(0, presented.length, leaf!, ...others)
      })
  ],
  [
    'a certificate is missing',
    d =>
      void d.after.push(presented => {
        if (presented.length > 1) presented.splice(1 + d.random.below(presented.length - 1), 1)
      })
  ],
  ['certificates twice', d => void d.after.push(presented => void presented.push(...presented.slice(d.random.below(2))))],
  [
    'unrelated certificates',
    d => {
      for (let i = 0; i < 1 + d.random.below(3); i++) d.morePresented.push(makeForm(d.random, d.keys, 0, 2, []))
    }
  ],
  [
    'cross-signed',
    d => {
      const other = makeForm(d.random, d.keys, 0, 3, [])
      d.moreRoots.push(other)
      d.morePresented.push({ ...d.forms[0]!, issuer: other.subject, signer: other.keys, signature: { hash: 'sha256' } })
      if (d.random.chance(0.7)) d.trusted = []
    }
  ],
  [
    'the issuer has another name',
    change(
      d => d.random.pick(d.forms.slice(1)),
      form => void (form.issuer = nameOf([[OID.commonName, 'nobody']]))
    )
  ],
  [
    'the issuer has the same name in another encoding',
    d => {
      const i = 1 + d.random.below(d.forms.length - 1)
      d.forms[i - 1]!.subject = nameOf([[OID.commonName, 'one', TAG.utf8String]])
      if (i === 1) d.forms[0]!.issuer = d.forms[0]!.subject
      d.forms[i]!.issuer = nameOf([
        [OID.commonName, d.random.pick(['one', 'One', 'one ']), d.random.pick([TAG.printableString, TAG.utf8String])]
      ])
    }
  ],
  [
    'names in other encodings',
    change(leafOf, (form, d) => {
      const value = d.random.pick(['alice', 'alice*', 'Zo\u00eb', '12 3', '', 'a@b', '\ud83d\ude00', '\ufdd0', 'x\0', 'a&b'])
      const tag = d.random.pick([0x0c, 0x12, 0x13, 0x14, 0x16, 0x1e, 0x1a, 0x1c])
      form.subject = nameOf([
        [d.random.pick([OID.commonName, '2.5.4.5', OID.organization]), value, tag],
        [OID.commonName, 'bob']
      ])
    })
  ],
  [
    'a name of broken UTF-8',
    change(leafOf, form => {
      form.subject = sequence(element(TAG.set, sequence(oid(OID.commonName), element(TAG.utf8String, Buffer.from([0x61, 0xff])))))
    })
  ],
  [
    'several common names',
    change(
      leafOf,
      form =>
        void (form.subject = nameOf([
          [OID.commonName, 'first'],
          [OID.commonName, 'last']
        ]))
    )
  ],
  ['no common name', change(leafOf, form => void (form.subject = nameOf([[OID.organization, 'system:masters']])))],
  ['an empty name', change(leafOf, form => void (form.subject = nameOf([])))],
  ['an empty common name', change(leafOf, form => void (form.subject = nameOf([[OID.commonName, '']])))],
  [
    'user ids',
    change(leafOf, (form, d) => {
      const ids = several(d, 1, () => ['1.3.6.1.4.1.57683.2', d.random.pick(['one', 'two', ''])] as const)
      form.subject = nameOf([[OID.commonName, 'bob'], ...ids])
    })
  ],
  [
    'the same holder above',
    d => {
      // A certificate with the name and the key of one that is in the path.
      const [above, form] = [d.forms[0]!, leafOf(d)]
      form.subject = above.subject
      form.keys = above.keys
    }
  ],
  ['alternative names', change(anyOf, (form, d) => set(form, OID.subjectAltName, names(...several(d, 1, () => randomName(d)))))],
  [
    'constraints of names',
    d => {
      set(leafOf(d), OID.subjectAltName, names(...several(d, 1, () => randomName(d))))
      const [permitted, excluded] = d.random.chance(0.6) ? [1, 0] : [0, 1]
      const critical = d.random.chance(0.7)
      for (let i = 0; i < 1 + d.random.below(2); i++)
        set(
          authorityOf(d),
          OID.nameConstraints,
          constrain(
            several(d, permitted, () => randomSubtree(d)),
            several(d, excluded, () => randomSubtree(d)),
            critical
          )
        )
    }
  ],
  [
    'constraints without names',
    change(authorityOf, form => set(form, OID.nameConstraints, constrain([subtree(0x82, 'example.com')], [], true)))
  ],
  ['empty constraints of names', change(authorityOf, form => set(form, OID.nameConstraints, constrain([], [], true)))],
  [
    'policies',
    d => {
      for (const form of d.forms) if (d.random.chance(0.9)) setPolicies(form, shuffled(d, policies), d.random.chance(0.3))
      const explicit = d.random.below(3)
      set(d.random.pick(d.forms), OID.policyConstraints, {
        critical: d.random.chance(0.5),
        value: sequence(
          element(0x80, Buffer.of(explicit)),
          ...(d.random.chance(0.4) ? [element(0x81, Buffer.of(d.random.below(2)))] : [])
        )
      })
      if (d.random.chance(0.5))
        set(authorityOf(d), OID.policyMappings, {
          critical: true,
          value: sequence(
            ...several(d, 1, () =>
              sequence(oid(d.random.pick(policies.slice(d.random.chance(0.9) ? 1 : 0))), oid(d.random.pick(policies.slice(1))))
            )
          )
        })
      if (d.random.chance(0.4))
        set(authorityOf(d), OID.inhibitAnyPolicy, { critical: true, value: integer(Buffer.of(d.random.below(2))) })
    }
  ],
  [
    'a very long chain',
    d => {
      const leaf = d.forms.pop()!
      const length = d.forms.length + 3 + d.random.below(14)
      while (d.forms.length < length) d.forms.push(makeForm(d.random, d.keys, d.forms.length, length + 1, d.forms))
      leaf.issuer = d.forms.at(-1)!.subject
      leaf.signer = d.forms.at(-1)!.keys
      leaf.signature = { hash: 'sha256' }
      leaf.extensions.delete(OID.authorityKeyIdentifier)
      d.forms.push(leaf)
    }
  ],
  [
    'a changed bit',
    d =>
      void d.after.push(presented => {
        const i = d.random.below(presented.length)
        presented[i] = flipByte(d, presented[i]!)
      })
  ],
  ['a byte too many', d => void d.after.push(presented => void (presented[0] = Buffer.concat([presented[0]!, Buffer.of(0)])))],
  ['a certificate that is none', d => void d.after.push(presented => void presented.push(utf8('rubbish')))]
])
