/** Makes chains of certificates for clients, each with some faults or oddities: what verifiers are compared with. */
import { type Keyring, makeDraft } from './drafts.js'
import { type CertificateForm, makeCertificate } from './make-certificate.js'
import { oddities } from './oddities.js'
import { Random } from './random.js'

export interface Chain {
  /** What was done to an ordinary chain. */
  readonly oddities: readonly string[]
  readonly roots: readonly Buffer[]
  /** The client's certificate comes first. */
  readonly presented: readonly Buffer[]
}

/** Makes a chain with the given oddities, or with random ones: none, one or two. */
export function makeChain(seed: number, keys: Keyring, wanted?: readonly string[]): Chain {
  const random = new Random(seed)
  const draft = makeDraft(random, keys)
  const names = wanted ?? Array.from({ length: random.pick([0, 1, 1, 1, 1, 2, 2]) }, () => random.pick([...oddities.keys()]))
  for (const name of names) oddities.get(name)!(draft)
  const made = new Map<CertificateForm, Buffer>()
  const certificate = (form: CertificateForm) => {
    if (!made.has(form)) made.set(form, makeCertificate(form))
    return made.get(form)!
  }
  const [root, ...others] = draft.forms
  const presented = [...others.reverse(), ...draft.morePresented].map(certificate)
  if (random.chance(0.2)) presented.push(certificate(root!))
  for (const change of draft.after) change(presented)
  const roots = [...draft.trusted.map(i => draft.forms[i]!), ...draft.moreRoots].map(certificate)
  return { oddities: names, roots, presented }
}
