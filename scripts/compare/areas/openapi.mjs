/** The OpenAPI documents: v3 of every group version, and v2. */

export async function area({ send }) {
  const [{ body }] = await send({ path: '/openapi/v3' })
  const paths = [...Object.keys(JSON.parse(body.toString()).paths).map(path => `/openapi/v3/${path}`), '/openapi/v2']
  let next = 0
  return { eachResource: true, generate: () => ({ requests: [{ path: paths[next++ % paths.length], pick: onOneLine }] }) }
}

/** Descriptions come from another source than kube-apiserver's own, which breaks lines elsewhere. */
const onOneLine = document =>
  JSON.parse(JSON.stringify(document), (key, value) =>
    key === 'description' && typeof value === 'string' ? value.replaceAll(/\s+/g, ' ') : value
  )
