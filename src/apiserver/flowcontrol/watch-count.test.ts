import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { infoOf } from '../../testkit/flow-control.js'
import { WatchCount } from './watch-count.js'

describe('watches', () => {
  const make = (...urls: string[]) => {
    const watches = new WatchCount()
    const forget = urls.map(url => watches.add(infoOf(`${url}${url.includes('?') ? '&' : '?'}watch=1`)))
    return { interestedIn: (url: string, method = 'PUT') => watches.interestedIn(infoOf(url, method)), forget }
  }
  const pods = '/api/v1/namespaces/a/pods'

  it('are counted by whether a write may concern them', () => {
    const { interestedIn, forget } = make(
      '/api/v1/pods',
      pods,
      `${pods}?fieldSelector=metadata.name%3Dp`,
      '/api/v1/namespaces/b/pods',
      '/api/v1/nodes',
      '/apis/g/v1/pods'
    )
    assert.equal(interestedIn(`${pods}/p`), 3)
    assert.equal(interestedIn(`${pods}/q`), 2)
    assert.equal(interestedIn(pods, 'POST'), 2)
    assert.equal(interestedIn('/api/v1/namespaces/c/pods/p'), 1)
    assert.equal(interestedIn('/api/v1/nodes/n'), 1)
    assert.equal(interestedIn('/api/v1/services/n'), 0)
    for (const end of forget) end()
    assert.equal(interestedIn(`${pods}/p`), 0)
  })

  it('of the Pods of one node are shown other Pods never', () => {
    const { interestedIn } = make(
      '/api/v1/pods?fieldSelector=spec.nodeName%3Dn1',
      '/api/v1/pods?fieldSelector=spec.nodeName%3D',
      '/api/v1/pods?fieldSelector=spec.nodeName!%3Dn1',
      '/api/v1/pods?fieldSelector=%3D%3D!'
    )
    assert.equal(interestedIn(`${pods}/p`), 3)
  })
})
