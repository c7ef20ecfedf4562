/** What compiles with kinds of one's own, and what does not: `npm run types` checks it, nothing runs it. */
import type { KindRef, KubeClient, KubeObject } from '../../types.js'
import type { FromSchema, JsonSchema, ObjectOfVersion } from '../schema-types.js'
import type { StandardSchema, TypedJsonSchema } from '../standard-schema.js'
import { type Equal, is } from './equal.js'

const schema = {
  type: 'object',
  required: ['start', 'seats', 'owner'],
  properties: {
    start: { type: 'string' },
    seats: { type: 'integer', default: 20 },
    level: { type: 'string', enum: ['low', 'high'] },
    port: { 'x-kubernetes-int-or-string': true },
    note: { type: 'string', nullable: true },
    owner: { type: 'object', properties: { name: { type: 'string' } } },
    tags: { type: 'array', items: { type: 'string' } },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  }
} as const satisfies JsonSchema

declare const spec: FromSchema<typeof schema>
is<Equal<typeof spec.start, string>>()
is<Equal<typeof spec.seats, number>>()
is<Equal<typeof spec.level, 'low' | 'high' | undefined>>()
is<Equal<typeof spec.port, number | string | undefined>>()
is<Equal<typeof spec.note, string | null | undefined>>()
is<Equal<typeof spec.owner.name, string | undefined>>()
is<Equal<typeof spec.tags, string[] | undefined>>()
is<Equal<typeof spec.labels, Record<string, string> | undefined>>()
declare const made: FromSchema<typeof schema, 'create'>
is<Equal<typeof made.seats, number | undefined>>()
is<Equal<typeof made.start, string>>()

/** A schema that is no literal says nothing. */
is<Equal<FromSchema<{ type: string }>, any>>()
is<Equal<ObjectOfVersion<{ name: 'v1'; schema: object }>, any>>()

type Input = { spec: { seats?: number } }
type Output = { metadata?: unknown; spec: { seats: number } }
type OfLibrary = ObjectOfVersion<{ schema: StandardSchema<Input, Output> }>
declare const fromLibrary: OfLibrary
is<Equal<typeof fromLibrary.spec.seats, number>>()
is<Equal<typeof fromLibrary.metadata.name, string>>()
declare const fromTypeBox: ObjectOfVersion<{ schema: { openAPIV3Schema: TypedJsonSchema<Output> } }>
is<Equal<typeof fromTypeBox.spec.seats, number>>()

interface Course extends KubeObject {
  spec: { seats: number; room?: string }
  status?: { booked: number }
}

export async function plainTypes(client: KubeClient): Promise<void> {
  const ref: KindRef<Course> = { apiVersion: 'school.example.com/v1', kind: 'Course' }
  const courses = client.of(ref)
  const course = await courses.create({ metadata: { name: 'algebra' }, spec: { seats: 20 } })
  is<Equal<typeof course, Course>>()
  await client.of<Course>({ apiVersion: 'school.example.com/v1', kind: 'Course' }).update(course)
  await courses.patch(course, { spec: { room: null } })
  await courses.subresource('status').patch(course, { status: { booked: 3 } })
  // @ts-expect-error without a name
  await courses.create({ spec: { seats: 20 } })
  // @ts-expect-error a number
  await courses.create({ metadata: { name: 'algebra' }, spec: { seats: '20' } })
  // @ts-expect-error a typo
  courses.subresource('statuz')
}
