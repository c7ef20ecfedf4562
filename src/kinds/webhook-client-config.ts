/** Validates the client configuration of admission webhooks and of CRD conversion. */
import type { ServiceReference, WebhookClientConfig } from '../apimachinery/api/generated/admissionregistration-v1.js'
import type { FieldErrors, Path } from '../apimachinery/validation/field.js'
import { isDns1035Label, isDns1123Subdomain, isPortNumber } from '../apimachinery/validation/names.js'
import { type GoUrl, parseUrl, UrlError } from '../util/go-url.js'

export function defaultClientConfig(config: WebhookClientConfig): void {
  if (config.service) config.service.port ??= 443
}

export function validateClientConfig(config: WebhookClientConfig, path: Path, errors: FieldErrors): void {
  const { url, service } = config
  if ((url === undefined) === (service === undefined)) errors.required(path, 'exactly one of url or service is required')
  else if (url !== undefined) validateUrl(url, path.child('url'), errors)
  else validateService(service!, path.child('service'), errors)
}

function readUrl(text: string): GoUrl | UrlError {
  try {
    return parseUrl(text)
  } catch (error) {
    if (error instanceof UrlError) return error
    throw error
  }
}

function validateUrl(url: string, path: Path, errors: FieldErrors): void {
  const form = 'desired format: https://host[/path]'
  const parsed = readUrl(url)
  if (parsed instanceof UrlError) return errors.required(path, `url must be a valid URL: ${parsed.message}; ${form}`)
  const { scheme, user, host, rawQuery: query, fragment } = parsed
  if (scheme !== 'https') errors.invalid(path, scheme, `'https' is the only allowed URL scheme; ${form}`)
  if (host === '') errors.invalid(path, host, `host must be specified; ${form}`)
  if (user !== undefined) errors.invalid(path, user, 'user information is not permitted in the URL')
  if (fragment !== '') errors.invalid(path, fragment, 'fragments are not permitted in the URL')
  if (query !== '') errors.invalid(path, query, 'query parameters are not permitted in the URL')
}

function validateService({ name, namespace, path: urlPath = '', port }: ServiceReference, at: Path, errors: FieldErrors): void {
  // kube-apiserver swaps name and namespace when it reports which one is missing
  if (namespace === '') errors.required(at.child('name'))
  if (name === '') errors.required(at.child('namespace'))
  if (port !== undefined) for (const e of isPortNumber(port)) errors.invalid(at.child('port'), port, `port is not valid: ${e}`)
  if (urlPath === '' || urlPath === '/') return
  if (urlPath === '//') return errors.invalid(at.child('path'), urlPath, 'segment[0] may not be empty')
  if (!urlPath.startsWith('/')) errors.invalid(at.child('path'), urlPath, "must start with a '/'")
  // the first byte is left out, whatever it is
  const segments = Buffer.from(urlPath).toString('utf8', 1).replace(/\/$/, '').split('/')
  segments.forEach((segment, i) => {
    if (segment === '') errors.invalid(at.child('path'), urlPath, `segment[${i}] may not be empty`)
    else for (const e of isDns1123Subdomain(segment)) errors.invalid(at.child('path'), urlPath, `segment[${i}]: ${e}`)
  })
}

const knownReviewVersions = ['v1', 'v1beta1']

/** Validates the versions of review objects that a webhook understands. */
export function validateReviewVersions(
  versions: readonly string[] | null | undefined,
  path: Path,
  errors: FieldErrors,
  required = ''
): void {
  if (!versions?.length) {
    errors.required(path, required)
    return
  }
  const seen = new Set<string>()
  versions.forEach((version, i) => {
    if (seen.has(version)) {
      errors.invalid(path.index(i), version, 'duplicate version')
      return
    }
    seen.add(version)
    for (const e of isDns1035Label(version)) errors.invalid(path.index(i), version, e)
  })
  if (!versions.some(v => knownReviewVersions.includes(v)))
    errors.invalid(path, versions, `must include at least one of ${knownReviewVersions.join(', ')}`)
}
