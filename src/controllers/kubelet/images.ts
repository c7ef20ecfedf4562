/** How a container runtime names images. */
import { createHash } from 'node:crypto'

/** The full name of an image: `nginx` is `docker.io/library/nginx:latest`. */
export function imageName(image: string): string {
  const [first = '', ...rest] = image.split('/')
  const hasRegistry = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')
  const full = hasRegistry ? image : `docker.io/${rest.length === 0 ? 'library/' : ''}${image}`
  const last = full.slice(full.lastIndexOf('/'))
  return /[:@]/.test(last) ? full : `${full}:latest`
}

/** Names the content of an image: the same for the same name. */
export function imageId(image: string): string {
  const name = imageName(image)
  if (name.includes('@')) return name
  const digest = createHash('sha256').update(name).digest('hex')
  return `${name.slice(0, name.lastIndexOf(':'))}@sha256:${digest}`
}
