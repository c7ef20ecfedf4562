import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ApiGroup, Backend } from '../endpoints/backend.js'
import { apiGroups } from './api-groups.js'

const backend = (name: string, groups: Record<string, readonly string[]>): Backend =>
  ({
    name,
    groups: () =>
      Object.entries(groups).map(
        ([group, versions]): ApiGroup => ({
          name: group,
          hasRoutes: false,
          versions: versions.map(version => ({ name: version, resources: [], openApi: undefined, of: name }))
        })
      )
  }) as unknown as Backend

const shown = (groups: readonly ApiGroup[]) =>
  groups.map(({ name, versions }) => `${name}: ${versions.map(v => v.name).join(' ')}`)

it('orders groups and versions by the priorities of their APIServices', () => {
  const backends = [backend('a', { 'a.example.com': ['v1', 'v2beta1'], 'b.example.com': ['v1'], apps: ['v1'] })]
  assert.deepEqual(shown(apiGroups(backends)), ['apps: v1', 'a.example.com: v1 v2beta1', 'b.example.com: v1'])
  const priorities: Record<string, { group: number; version: number }> = {
    'b.example.com/v1': { group: 19000, version: 1 },
    'a.example.com/v1': { group: 10, version: 1 },
    'a.example.com/v2beta1': { group: 1, version: 2 }
  }
  assert.deepEqual(shown(apiGroups(backends, (group, version) => priorities[`${group}/${version}`])), [
    'b.example.com: v1',
    'apps: v1',
    'a.example.com: v2beta1 v1'
  ])
})

it('joins the versions of a group that several backends have; the first backend that has a version serves it', () => {
  const groups = apiGroups([backend('first', { g: ['v1'] }), backend('second', { g: ['v1', 'v2'] })])
  assert.deepEqual(shown(groups), ['g: v2 v1'])
  assert.deepEqual(
    groups[0]!.versions.map(version => (version as unknown as { of: string }).of),
    ['second', 'first']
  )
})
