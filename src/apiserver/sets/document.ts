/** The OpenAPI document of sets, at GET /binnacle/v1/openapi.json. Like their path, it is separate from Kubernetes' own. */

import { setsPath } from '../../apimachinery/request/sets-path.js'
import { type Described, ownDocument, type QueryParameter, type Schema } from '../own-paths/own-document.js'
import { maxEntries, operations, patchTypes, setVersion } from './entry.js'

const text = (description: string): Schema => ({ type: 'string', description })
const oneOf = (values: readonly string[], description: string): Schema => ({ type: 'string', enum: values, description })
const anyObject = (description: string): Schema => ({ type: 'object', description, additionalProperties: true })

const object = anyObject('An object of any kind that the server has.')

const entry: Schema = {
  title: 'SetEntry',
  type: 'object',
  required: ['object'],
  additionalProperties: false,
  properties: {
    operation: oneOf(operations, 'apply, when it is left out.'),
    object: anyObject(
      'The object; for patch and delete its apiVersion, kind, namespace and name. A resourceVersion is a precondition, and for delete so is a uid.'
    ),
    subresource: oneOf(['', 'status'], 'For apply, update and patch.'),
    patchType: oneOf(Object.keys(patchTypes), 'merge, when it is left out.'),
    patch: { description: 'For patch: an object, or the list of a JSON patch.' },
    options: anyObject('For delete: DeleteOptions.')
  }
}

const set: Schema = {
  title: 'Set',
  type: 'object',
  required: ['apiVersion', 'kind', 'entries'],
  properties: {
    apiVersion: oneOf([setVersion], 'The version of sets.'),
    kind: oneOf(['Set'], 'The kind.'),
    metadata: anyObject('Not looked at.'),
    entries: { type: 'array', items: entry, maxItems: maxEntries }
  }
}

const list: Schema = {
  title: 'List',
  type: 'object',
  required: ['apiVersion', 'kind', 'items'],
  properties: {
    apiVersion: oneOf(['v1'], 'The version of lists.'),
    kind: oneOf(['List'], 'The kind.'),
    metadata: anyObject('Not looked at.'),
    items: { type: 'array', items: object, maxItems: maxEntries, description: 'Objects to apply.' }
  }
}

const result: Schema = {
  title: 'SetResult',
  type: 'object',
  required: ['apiVersion', 'kind', 'metadata', 'items'],
  properties: {
    apiVersion: oneOf([setVersion], 'The version of sets.'),
    kind: oneOf(['SetResult'], 'The kind.'),
    metadata: {
      type: 'object',
      properties: {
        resourceVersion: text('That of all objects that were changed. Absent in a dry run, and when nothing changed.')
      }
    },
    items: {
      type: 'array',
      description: 'One for each entry, in their order.',
      items: {
        title: 'SetResultItem',
        type: 'object',
        required: ['operation', 'result'],
        properties: {
          operation: oneOf(operations, 'That of the entry.'),
          result: oneOf(['created', 'configured', 'unchanged', 'deleted', 'deleting'], 'What became of the object.'),
          warnings: { type: 'array', items: { type: 'string' } },
          object: anyObject('The object as it is now; absent when it is gone.')
        }
      }
    }
  }
}

const query: readonly QueryParameter[] = [
  {
    name: 'dryRun',
    description: 'All: everything is checked, and nothing is written.',
    schema: { type: 'string', enum: ['All'] }
  },
  { name: 'fieldManager', description: 'Who owns the fields that are written. Applies need it.', schema: { type: 'string' } },
  {
    name: 'fieldValidation',
    description: 'What to do with fields that a kind does not have; Warn by default.',
    schema: { type: 'string', enum: ['Ignore', 'Warn', 'Strict'] }
  },
  { name: 'force', description: 'Applies take fields over from other managers.', schema: { type: 'boolean' } },
  { name: 'namespace', description: 'That of objects which name none.', schema: { type: 'string' } }
]

const route: Described = {
  method: 'POST',
  path: '',
  id: 'writeSet',
  summary: 'Write several objects, all or nothing, at one resource version',
  body: { oneOf: [list, set] },
  bodyTypes: ['application/json', 'application/yaml'],
  query,
  answers: { 200: { description: 'All objects were written.', schema: result } }
}

export const setsDocument = (): object =>
  ownDocument(
    {
      title: 'Binnacle sets',
      version: 'v1',
      description:
        'Several objects in one write. A refusal is a Status with the code of the first object that was refused; details.causes has each, with its place in the body as the field.',
      root: setsPath
    },
    [route]
  )
