// A kind of your own in JavaScript or TypeScript, served beside those of Kubernetes: no CustomResourceDefinition, no webhook.
//
//   node examples/typed-kind.mjs            shows the answers to good and bad objects, and ends
//   node examples/typed-kind.mjs --serve    keeps serving, and prints commands for kubectl
import { writeFileSync } from 'node:fs'
import { createServer, defineKind, Path } from 'binnacle'

/**
 * @typedef {import('binnacle').KubeObject & {
 *   spec: { schedule: { start: string, end: string }, seats?: number, code?: string }
 *   status?: { booked: number }
 * }} Course
 */

/** @type {import('binnacle').OwnKind<Course>} */
const course = defineKind({
  group: 'school.example.com',
  kind: 'Course',
  resource: 'courses',
  shortNames: ['co'],
  versions: [
    {
      name: 'v1',
      schema: {
        openAPIV3Schema: {
          type: 'object',
          required: ['spec'],
          properties: {
            spec: {
              type: 'object',
              required: ['schedule'],
              properties: {
                schedule: {
                  type: 'object',
                  required: ['start', 'end'],
                  properties: { start: { type: 'string', format: 'date' }, end: { type: 'string', format: 'date' } }
                },
                seats: { type: 'integer', minimum: 1, default: 20 },
                code: { type: 'string' }
              }
            },
            status: { type: 'object', properties: { booked: { type: 'integer' } } }
          }
        }
      },
      subresources: { status: {} },
      additionalPrinterColumns: [
        { name: 'Start', type: 'string', jsonPath: '.spec.schedule.start' },
        { name: 'Seats', type: 'integer', jsonPath: '.spec.seats' }
      ]
    }
  ],

  // functions for what a schema cannot say

  default({ metadata, spec }) {
    spec.code ??= metadata.name?.slice(0, 3).toUpperCase() ?? ''
  },
  validate({ spec }, errors) {
    const { start, end } = spec.schedule
    if (end < start) errors.invalid(Path.of('spec', 'schedule', 'end'), end, 'must not be before the start')
  },
  validateUpdate({ spec }, old, errors) {
    if (spec.code !== old.spec.code) errors.forbidden(Path.of('spec', 'code'), 'a course keeps its code')
  },
  warnings: ({ spec }) => ((spec.seats ?? 0) > 100 ? [`spec.seats: ${spec.seats} people need the large hall`] : [])
})

const server = createServer({ kinds: [course] })
await server.start()

const user = { name: 'teacher', groups: ['system:masters'] }
const url = '/apis/school.example.com/v1/namespaces/default/courses'
/** @param {string} name @param {Course['spec']} spec */
const make = (name, spec) =>
  server.inject({ url, user, body: { apiVersion: 'school.example.com/v1', kind: 'Course', metadata: { name }, spec } })

const good = await make('algebra', { schedule: { start: '2027-03-01', end: '2027-06-30' }, seats: 120 })
console.log(good.status, JSON.stringify(good.json().spec), good.headers.warning)

const bad = await make('botany', { schedule: { start: '2027-03-01', end: '2027-02-01' } })
console.log(bad.status, bad.json().message)

const patched = await server.inject({
  method: 'PATCH',
  url: `${url}/algebra`,
  user,
  headers: { 'content-type': 'application/merge-patch+json' },
  body: { spec: { code: 'XXX' } }
})
console.log(patched.status, patched.json().message)

if (process.argv.includes('--serve')) {
  writeFileSync('kubeconfig', server.kubeconfig(), { mode: 0o600 })
  console.log('\nkubectl --kubeconfig kubeconfig get courses\nkubectl --kubeconfig kubeconfig explain course.spec')
} else await server.stop()
