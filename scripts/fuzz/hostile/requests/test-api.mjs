/** The test API: snapshots, servers, rules and records without end. */
const maps = '/api/v1/namespaces/default/configmaps'
const api = '/testing/v1'
const text = (length, what = 'a') => what.repeat(length)

/** Sends until the first refusal, and says how many were taken. */
async function until(target, most, method, path, body) {
  for (let i = 0; i < most; i++) {
    const answer = await target.send(method, path(i), body?.(i))
    if (answer.status >= 400) return `${i} taken, then ${answer.status} ${answer.body.subarray(0, 150)}`
  }
  return `${most} taken`
}

export async function prepare(target) {
  for (let i = 0; i < 40; i++)
    await target.send('POST', maps, { metadata: { name: `m${i}` }, data: { text: text(900_000, 'x') } })
}

export const probes = {
  '300 snapshots of 36 MB': target => until(target, 300, 'PUT', i => `${api}/snapshots/s${i}`),
  '600 servers that begin with a snapshot': target =>
    until(
      target,
      600,
      'PUT',
      i => `${api}/servers/h${i}`,
      () => ({ snapshot: 's0' })
    ),
  '2,000 fault rules of 200 kB': target =>
    until(
      target,
      2000,
      'POST',
      () => `${api}/faults`,
      i => ({
        verb: 'get',
        resource: Array.from({ length: 15_000 }, (_, n) => `r${n}.a${i}`),
        delay: 1,
        times: Number.MAX_SAFE_INTEGER
      })
    ),
  '200 requests beside these rules': async target => {
    for (let i = 0; i < 200; i++) await target.send('GET', `${maps}?limit=1`)
    return 'answered'
  },
  '100 objects of 900 kB in the recorder': async target => {
    for (let i = 0; i < 100; i++)
      await target.send('POST', maps, {
        metadata: { name: `r${i}` },
        data: Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, text(30, 'y')]))
      })
    return 'written'
  },
  'the records of these': async target => {
    const { status, body } = await target.send('GET', `${api}/requests`)
    return `${status} ${body.length} bytes`
  },
  'the records of these as a page': async target => {
    const { status, body } = await target.send('GET', `${api}/requests`, undefined, { accept: 'text/html' })
    return `${status} ${body.length} bytes`
  }
}
