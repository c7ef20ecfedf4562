/**
 * Replaces an object: puts the body in place of everything but the metadata that the server shows now, because a replacement may need the present
 * resourceVersion. `path` is that of the object or subresource. Resolves with the answer; with that of the read when it fails.
 */
export async function replace(server, { path, headers, body }) {
  const [resource] = path.split('?')
  const read = await server.send({ path: resource })
  if (read.status !== 200) return read
  const { apiVersion, kind, metadata } = JSON.parse(read.body)
  const replacement = { apiVersion, kind, ...body, metadata: { ...metadata, ...body.metadata } }
  return server.send({ method: 'PUT', path, headers, body: replacement })
}
