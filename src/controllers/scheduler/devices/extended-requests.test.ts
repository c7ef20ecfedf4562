/** What containers ask of devices by extended resources. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Container } from '../../../apimachinery/api/generated/core-v1.js'
import { aPod } from '../testing/cluster.js'
import { extendedRequests } from './extended-requests.js'

const gpu = 'example.com/gpu'

const container = (name: string, requests: Record<string, string>, more: Partial<Container> = {}): Container => ({
  name,
  image: 'main',
  resources: { requests },
  ...more
})
const gpus = (name: string, count: number, more?: Partial<Container>) => container(name, { [gpu]: String(count) }, more)
const sidecar = { restartPolicy: 'Always' }

/** Requests as `name: count of class`, mappings as `container resource: request`. */
function asked(initContainers: Container[], containers: Container[], classes: Record<string, string> = { [gpu]: 'gpus' }) {
  const pod = aPod('web', { spec: { initContainers, containers } })
  const { requests, mappings } = extendedRequests(pod, new Map(Object.entries(classes)))
  return {
    requests: requests.map(({ name, exactly }) => `${name}: ${exactly!.count} of ${exactly!.deviceClassName}`),
    mappings: mappings.map(
      ({ containerName, resourceName, requestName }) => `${containerName} ${resourceName.split('/')[1]}: ${requestName}`
    )
  }
}

describe('extended resources as requests for devices', () => {
  test('are named by the places of the container and of the resource among all that it requests', () => {
    const classes = { [gpu]: 'gpus', 'deviceclass.resource.kubernetes.io/nics': 'nics' }
    const both = { cpu: '1', [gpu]: '2', 'deviceclass.resource.kubernetes.io/nics': '1' }
    assert.deepEqual(asked([], [gpus('a', 1), container('b', both), container('c', { cpu: '1' })], classes), {
      requests: ['container-0-request-0: 1 of gpus', 'container-1-request-1: 1 of nics', 'container-1-request-2: 2 of gpus'],
      mappings: ['b nics: container-1-request-1', 'a gpu: container-0-request-0', 'b gpu: container-1-request-2']
    })
    assert.deepEqual(asked([], [gpus('a', 0), container('b', both)], { 'example.com/other': 'others' }), {
      requests: [],
      mappings: []
    })
  })

  test('of containers that end before the others start are served by the devices of these', () => {
    assert.deepEqual(asked([gpus('init', 3)], [gpus('a', 1), gpus('b', 2), gpus('c', 1)]), {
      requests: ['container-1-request-0: 1 of gpus', 'container-2-request-0: 2 of gpus', 'container-3-request-0: 1 of gpus'],
      mappings: [
        'a gpu: container-1-request-0',
        'b gpu: container-2-request-0',
        'c gpu: container-3-request-0',
        'init gpu: container-1-request-0',
        'init gpu: container-2-request-0'
      ]
    })
  })

  test('of containers that end share the largest request for what they need beyond', () => {
    assert.deepEqual(asked([gpus('small', 2), gpus('large', 5), gpus('middle', 3)], [gpus('a', 1)]), {
      requests: ['container-1-request-0: 4 of gpus', 'container-3-request-0: 1 of gpus'],
      mappings: [
        'a gpu: container-3-request-0',
        'small gpu: container-3-request-0',
        'small gpu: container-1-request-0',
        'large gpu: container-3-request-0',
        'large gpu: container-1-request-0',
        'middle gpu: container-3-request-0',
        'middle gpu: container-1-request-0'
      ]
    })
  })

  test('of sidecars are theirs, and serve only containers that start before', () => {
    assert.deepEqual(asked([gpus('early', 1), gpus('side', 1, sidecar), gpus('late', 1)], [container('a', {})]), {
      requests: ['container-1-request-0: 1 of gpus', 'container-2-request-0: 1 of gpus'],
      mappings: ['side gpu: container-1-request-0', 'early gpu: container-1-request-0', 'late gpu: container-2-request-0']
    })
  })
})
