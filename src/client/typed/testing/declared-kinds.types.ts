/** What compiles with `defineKind`, and what does not: `npm run types` checks it, nothing runs it. */

import { defineKind, type OwnKind } from '../../../apiextensions/own-kind.js'
import type { KubeClient, KubeObject } from '../../types.js'
import type { StandardSchema, TypedJsonSchema } from '../standard-schema.js'
import { type Equal, is } from './equal.js'

const names = { group: 'school.example.com', kind: 'Course', resource: 'courses' }

const course = defineKind({
  ...names,
  versions: [
    {
      name: 'v1',
      subresources: { status: {} },
      schema: {
        openAPIV3Schema: {
          type: 'object',
          required: ['spec'],
          properties: {
            spec: {
              type: 'object',
              required: ['start', 'seats'],
              properties: {
                start: { type: 'string' },
                seats: { type: 'integer', default: 20 },
                level: { type: 'string', enum: ['low', 'high'] },
                note: { type: 'string', nullable: true }
              }
            },
            status: { type: 'object', properties: { booked: { type: 'integer' } } }
          }
        }
      }
    }
  ],
  default({ metadata, spec }) {
    is<Equal<typeof metadata.name, string | undefined>>()
    spec.level ??= 'low'
  },
  validate({ metadata, spec }, errors) {
    is<Equal<typeof metadata.name, string>>()
    is<Equal<typeof spec.seats, number>>()
    is<Equal<typeof spec.level, 'low' | 'high' | undefined>>()
    is<Equal<typeof errors.any, boolean>>()
  }
})

export async function inferred(client: KubeClient): Promise<void> {
  const courses = client.of(course)
  const algebra = await courses.create({ metadata: { name: 'algebra' }, spec: { start: '2027-03-01' } })
  is<Equal<typeof algebra.spec.seats, number>>()
  await courses.update(algebra)
  await courses.patch('algebra', { spec: { note: null, level: null } })
  await courses.apply({ metadata: { name: 'algebra' }, spec: { level: 'high' } })
  await courses.subresource('status').patch('algebra', { status: { booked: 1 } })
  // @ts-expect-error without the start
  await courses.create({ metadata: { name: 'algebra' }, spec: {} })
  // @ts-expect-error another level
  await courses.create({ metadata: { name: 'algebra' }, spec: { start: '2027-03-01', level: 'middle' } })
  // @ts-expect-error it has no scale
  courses.subresource('scale')
}

interface Plain extends KubeObject {
  spec: { seats: number }
}

/** The type may be said instead. */
const plain: OwnKind<Plain> = defineKind<Plain>({
  ...names,
  versions: [{ name: 'v1', schema: { openAPIV3Schema: { type: 'object' } } }],
  validate: ({ spec }) => is<Equal<typeof spec.seats, number>>()
})
void plain

declare const standard: StandardSchema<{ spec: { seats?: number; name: string } }, { spec: { seats: number; name: string } }>
declare const typeBox: TypedJsonSchema<{ spec: { seats: number } }>

export async function libraries(client: KubeClient): Promise<void> {
  const zod = client.of(defineKind({ ...names, versions: [{ name: 'v1', schema: standard }] }))
  const made = await zod.create({ metadata: { name: 'a' }, spec: { name: 'a' } })
  is<Equal<typeof made.spec.seats, number>>()
  // @ts-expect-error without the name
  await zod.create({ metadata: { name: 'a' }, spec: { seats: 3 } })
  const boxed = client.of(defineKind({ ...names, versions: [{ name: 'v1', schema: typeBox }] }))
  // @ts-expect-error without seats
  await boxed.create({ metadata: { name: 'a' }, spec: {} })
}
