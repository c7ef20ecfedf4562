/**
 * Replaces an object: puts the body in place of everything but the metadata that the server shows now, because a replacement may need the present
 * resourceVersion. `path` is that of the object or subresource. Resolves with the answer; with that of the read when it fails.
 */
export async function replace(server, { path, headers, body }, tries = 5) {
  const [resource] = path.split('?')
  const read = await server.send({ path: resource })
  if (read.status !== 200) return read
  const { apiVersion, kind, metadata } = JSON.parse(read.body)
  const replacement = { apiVersion, kind, ...body, metadata: { ...metadata, ...body.metadata } }
  const answer = await server.send({ method: 'PUT', path, headers, body: replacement })
  // a controller was faster
  const isStale = answer.status === 409 && tries > 1
  return isStale ? replace(server, { path, headers, body }, tries - 1) : answer
}
