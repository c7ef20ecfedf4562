/** The paths below /binnacle/v1/history/, as their OpenAPI document describes them. */
import type { Described, Schema } from '../own-paths/own-document.js'

const text = (description: string): Schema => ({ type: 'string', maxLength: 4096, description })
const parameter = (name: string, description: string) => ({
  name,
  description,
  schema: { type: 'string', maxLength: 4096 } as const
})

const place = [
  parameter('resource', 'Plural, singular, short name or kind, with .group or without.'),
  parameter('group', 'The API group; "" for that of Pods. Any, when left out.'),
  parameter('namespace', 'That of the object; "" for all, and outside of namespaces.'),
  parameter('name', 'The name of the object.')
]
const paging = [
  parameter('limit', 'The most that are returned: at most 100 versions, or 500 objects.'),
  parameter('continue', 'What the page before returned.')
]

const version: Schema = {
  title: 'Version',
  type: 'object',
  properties: {
    resourceVersion: text('The version that the write made.'),
    change: {
      type: 'string',
      enum: ['created', 'updated', 'deleted', 'known'],
      description: 'known: the oldest version, from before the history.'
    },
    time: text('When it was written, RFC 3339; missing when not known.'),
    user: text('Who wrote it; missing for the server itself, and when not known.'),
    uid: text('The uid of the object.'),
    manager: text('The field manager, as managedFields have it.'),
    operation: text('Apply or Update.'),
    subresource: text('The subresource that was written.'),
    diff: text('The difference to the version before, of YAML without managedFields.')
  },
  required: ['resourceVersion', 'change']
}

const window: Schema = {
  title: 'HistoryWindow',
  type: 'object',
  properties: {
    since: text('When the history begins.'),
    sinceVersion: text('The resourceVersion at which it begins.'),
    seconds: { type: 'integer', description: 'How long history is kept at most.' },
    bytes: { type: 'integer', description: 'How many written bytes are kept at most.' },
    note: text('What else limits it.')
  },
  required: ['seconds', 'bytes']
}

export const getRoutes: readonly Described[] = [
  {
    method: 'GET',
    path: 'versions',
    id: 'listVersions',
    summary: 'The versions of an object, the newest first: when, by whom, what changed',
    query: [...place, parameter('diff', 'true adds the differences.'), ...paging],
    answers: {
      200: {
        description: 'The versions.',
        schema: {
          title: 'Versions',
          type: 'object',
          properties: {
            resource: text('The plural.'),
            group: text('The API group.'),
            namespace: text('The namespace.'),
            name: text('The name.'),
            history: window,
            versions: { type: 'array', items: version },
            continue: text('For the next page; missing on the last.')
          },
          required: ['resource', 'group', 'namespace', 'name', 'history', 'versions']
        }
      }
    }
  },
  {
    method: 'GET',
    path: 'objects',
    id: 'readFormerObjects',
    summary: 'An object, or with no name a list, as of a time or a version',
    query: [
      ...place,
      parameter('at', 'A time: 2026-11-27T10:00:00Z.'),
      parameter('resourceVersion', 'Instead of a time: the version of an object or a list.'),
      parameter('labelSelector', 'Only objects that had these labels.'),
      ...paging
    ],
    answers: { 200: { description: 'The object, or the list.', schema: { type: 'object', additionalProperties: true } } }
  },
  {
    method: 'GET',
    path: 'openapi.json',
    id: 'readDocument',
    summary: 'Read this document',
    answers: { 200: { description: 'The document.', schema: { type: 'object', additionalProperties: true } } }
  }
]

export const undeleteBody: Schema = {
  title: 'Undelete',
  type: 'object',
  properties: {
    resource: text('Plural, singular, short name or kind, with .group or without.'),
    group: text('The API group.'),
    namespace: text('The namespace.'),
    name: text('The name.')
  },
  required: ['resource', 'name'],
  additionalProperties: false
}

export const undeleteRoute: Described = {
  method: 'POST',
  path: 'undelete',
  id: 'undeleteObject',
  summary: 'Create the last version of a deleted object anew, with a new uid',
  body: undeleteBody,
  answers: {
    201: {
      description: 'The object.',
      schema: {
        title: 'Undeleted',
        type: 'object',
        properties: {
          object: { type: 'object', additionalProperties: true },
          formerVersion: text('The version that was taken.'),
          formerUid: text('The uid that it had.'),
          missingOwners: {
            type: 'array',
            items: { type: 'object', additionalProperties: true },
            description: 'Owners that are gone, which the object therefore does not name any more.'
          }
        },
        required: ['object', 'missingOwners']
      }
    }
  }
}
