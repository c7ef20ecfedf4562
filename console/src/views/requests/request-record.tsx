import { routeOf } from '../../api/access-question.js'
import { type RecordedRequest, recordedRequest } from '../../api/recorded.js'
import { AdmissionSteps } from '../../ui/admission-steps.js'
import { Code } from '../../ui/code.js'
import { useLoad } from '../../ui/load.js'
import { Problem } from '../../ui/problem.js'

/** What became of a request: who, which authorizer, what admission did, what it wrote. */
export function RequestRecord({ number, onClose }: { number: number; onClose(): void }) {
  const { value, error } = useLoad(signal => recordedRequest(number, signal), [number])
  return (
    <section class="record" aria-label="Record of the request">
      <div class="page-head">
        <h2>Request {number}</h2>
        <span class="actions">
          <button type="button" onClick={onClose}>
            Close
          </button>
        </span>
      </div>
      {error !== undefined && <Problem error={error} />}
      {value && <Shown record={value} />}
    </section>
  )
}

function Shown({ record }: { record: RecordedRequest }) {
  const {
    method,
    url,
    user,
    groups,
    impersonated,
    userAgent,
    status,
    message,
    authorization,
    admission,
    writes,
    warnings,
    parts
  } = record
  const [resource = '', subresource] = record.resource.split('/')
  return (
    <>
      <dl class="facts">
        <dt>Request</dt>
        <dd>
          <code>
            {method} {url}
          </code>
        </dd>
        <dt>From</dt>
        <dd>
          {user || 'nobody'} <span class="quiet">{groups.join(', ')}</span> {impersonated && <>as {impersonated}</>}{' '}
          <span class="quiet">{userAgent}</span>
        </dd>
        <dt>Answer</dt>
        <dd>
          {status} {message}
        </dd>
        <dt>Allowed</dt>
        <dd>
          {authorization ? `${authorization.allowed ? 'yes' : 'no'}. ${authorization.reason}` : 'It was refused before that.'}{' '}
          <a
            href={routeOf({
              user: impersonated ?? user,
              groups,
              verb: record.verb,
              namespace: record.namespace,
              name: record.verb === 'create' ? '' : record.name,
              ...(resource ? { resource: subresource ? `${resource}/${subresource}` : resource } : { path: url.split('?')[0]! })
            })}
          >
            Why?
          </a>
        </dd>
        {Object.keys(parts).length > 0 && (
          <>
            <dt>Waited for</dt>
            <dd>
              {Object.entries(parts)
                .map(([part, milliseconds]) => `${part} ${milliseconds.toFixed(1)} ms`)
                .join(', ')}
            </dd>
          </>
        )}
        {warnings.length > 0 && (
          <>
            <dt>Warnings</dt>
            <dd>{warnings.join(' ')}</dd>
          </>
        )}
      </dl>
      {admission.length > 0 && (
        <details>
          <summary>Admission ({admission.length} steps)</summary>
          <AdmissionSteps steps={admission} />
        </details>
      )}
      {writes.map(({ resource, name, action, diff }) => (
        <details key={`${resource}/${name}`} open>
          <summary>
            {action} {resource} {name}
          </summary>
          <Code text={diff} />
        </details>
      ))}
    </>
  )
}
