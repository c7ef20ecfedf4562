/** Every field of every kind with values of all sorts: null, the ends of int64, wrong types, empty ones. Nothing is stored. */
import { sample } from '../samples.mjs'
import { exactJson, Values } from '../values.mjs'

export async function area({ random, cluster }) {
  // the rules of a review come in any order
  const kinds = cluster.resources.filter(r => r.verbs.includes('create') && r.resource !== 'selfsubjectrulesreviews')
  return {
    eachResource: true,
    async generate() {
      const kind = random.pick(kinds)
      const { schema, follow } = await cluster.schemaOf(kind)
      const values = new Values(random, follow)
      const object = sample(kind)
      for (let changes = 1 + random.below(3); changes > 0; changes--) values.change(object, schema)
      const validation = random.pick(['', '&fieldValidation=Strict', '&fieldValidation=Ignore'])
      return { requests: [{ method: 'POST', path: `${cluster.pathOf(kind)}?dryRun=All${validation}`, body: exactJson(object) }] }
    }
  }
}
