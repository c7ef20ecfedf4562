// The operator of ../go with binnacle/operator: they are compared by ../main.mjs.
import { kindRef } from 'binnacle/client'
import {
  createOrUpdate,
  defineOperator,
  defineReconciler,
  retryOnConflict,
  setCondition,
  setControllerReference
} from 'binnacle/operator'

/** @typedef {import('binnacle/client').KubeObject & { spec: { seats: number }, status?: { seats?: number } }} Course */

/** @type {import('binnacle/client').KindRef<Course>} */
export const courses = kindRef('compare.example.com/v1', 'Course')
const configMaps = kindRef('v1', 'ConfigMap')
const configMap = (namespace, name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name } })

/** Gives a course its room, and says so in the status. A course that goes is counted in the archive. */
const rooms = defineReconciler({
  for: courses,
  owns: [configMaps],
  workers: 4,
  finalizer: 'compare.example.com/archive',

  async reconcile(course, { client, event }) {
    const { name, namespace } = course.metadata
    const { result, object: room } = await createOrUpdate(client, configMap(namespace, `room-${name}`), map => {
      map.data = { seats: String(course.spec.seats) }
      setControllerReference(course, map)
    })
    if (result === 'created') event(course, 'Normal', 'RoomMade', `made the room ${room.metadata.name}`)
    const changed = setCondition(course, { type: 'Ready', status: 'True', reason: 'RoomReady', message: 'the room is there' })
    if (!changed && course.status?.seats === course.spec.seats) return
    course.status = { ...course.status, seats: course.spec.seats }
    await client.of(courses).subresource('status').update(course)
  },

  // All courses of the namespace share the archive.
  async finalize({ metadata: { name, namespace }, spec }, { client }) {
    await retryOnConflict(() =>
      createOrUpdate(client, configMap(namespace, 'archive'), archive => {
        archive.data = { ...archive.data, [name]: String(spec.seats) }
      })
    )
  }
})

export const operator = defineOperator({ name: 'courses', namespace: 'default', reconcilers: [rooms] })
