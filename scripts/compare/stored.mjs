/** Stores objects of all kinds on both servers, for areas that change them. */
import { basesOf, scenarioBodies } from './bases.mjs'
import { merge } from './patch-types.mjs'
import { Plausible } from './plausible.mjs'

/** The most objects of a kind, because further ones would show nothing new. */
const most = 12

/** Replaces the variables of scenarios by those of areas. */
export const named = object =>
  JSON.parse(
    JSON.stringify(object)
      .replace(/\$\{ns\}/g, '$NS')
      .replace(/\$\{id\}/g, '$RUN')
  )

/** Returns the path of a collection. Limits and quotas go to kube-public, because they would decide about other cases. */
export const collectionOf = (cluster, kind) =>
  ['limitranges', 'resourcequotas'].includes(kind.resource)
    ? cluster.pathOf(kind).replace('$NS', 'kube-public')
    : cluster.pathOf(kind)

/**
 * Resolves with { stored, plausible, cleanup }: of each kind, its types and the objects that both servers accepted, each as it was sent (`base`), as
 * kube-apiserver stored it (`object`), and its path; and what changes such objects.
 */
export async function storedBases({ random, cluster, send }) {
  const bodies = await scenarioBodies()
  const kinds = cluster.resources.filter(
    r => ['create', 'update'].every(verb => r.verbs.includes(verb)) && r.group !== 'apiregistration.k8s.io'
  )
  const stored = []
  const cleanup = []
  for (const kind of kinds) {
    const bases = []
    for (const [i, found] of basesOf(kind, bodies).entries()) {
      const base = named(found)
      if (base.metadata.name === undefined || /^[\w-]+$/.test(base.metadata.name)) base.metadata.name = `$RUN-${i}`
      base.metadata.name = base.metadata.name.replace('$ID', '$RUN')
      delete base.metadata.generateName
      const path = collectionOf(cluster, kind)
      const answers = await send({ path, body: base })
      if (answers.some(answer => answer?.status !== 201)) continue
      const object = JSON.parse(answers[0].body)
      bases.push({ base, object, path: `${path}/${encodeURIComponent(object.metadata.name)}` })
      cleanup.push({
        method: 'PATCH',
        path: bases.at(-1).path,
        body: { metadata: { finalizers: null } },
        headers: { 'content-type': merge }
      })
      cleanup.push({ method: 'DELETE', path: `${bases.at(-1).path}?gracePeriodSeconds=0` })
      if (bases.length > most) break
    }
    if (bases.length > 0) stored.push({ kind, bases, types: await cluster.schemaOf(kind) })
  }
  const plausible = new Plausible(
    random,
    bodies.map(({ body }) => named(body))
  )
  return { stored, plausible, cleanup }
}

/** Returns the query of a write that stores nothing. */
export const dryRun = random => `dryRun=All${random.pick(['', '', '&fieldValidation=Strict', '&fieldValidation=Ignore'])}`
